// SPDX-License-Identifier: MIT
//
// Asks for confirmation before an unsaved drawing is left, by closing the window or by a link.

import { useEffect, useState } from "preact/hooks";

import { useText } from "../app/text";
import { Question } from "../common/question";
import { words } from "./text_editor";

function useCloseWarning(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [dirty]);
}

/** The link within the page that a click would follow; null: none, or into another window. */
function linkOf(event: MouseEvent): string | null {
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const address = link?.getAttribute("href") ?? "";
  return isPlain && address.startsWith("#") && link?.target !== "_blank" ? address : null;
}

export function LeavingGuard(props: { dirty: boolean }) {
  const t = useText(words);
  const [wanted, setWanted] = useState<string | null>(null);
  useCloseWarning(props.dirty);
  useEffect(() => {
    if (!props.dirty) return undefined;
    const ask = (event: MouseEvent) => {
      const address = linkOf(event);
      if (address === null || address === location.hash) return;
      event.preventDefault();
      event.stopPropagation();
      setWanted(address);
    };
    addEventListener("click", ask, true);
    return () => removeEventListener("click", ask, true);
  }, [props.dirty]);
  if (wanted === null) return null;
  const stay = () => setWanted(null);
  return (
    <Question
      title={t("leave_title")}
      text={t("leave_text")}
      yes={t("leave")}
      no={t("stay")}
      danger
      onYes={() => void (location.hash = wanted)}
      onNo={stay}
    />
  );
}

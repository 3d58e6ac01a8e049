// SPDX-License-Identifier: MIT
//
// The page of a study's participants: an entry of its own (SENJUTSU_PAGE=study in vite.config.ts). A participant comes by
// a link of their own, #/p/KEY, or by the open one, #/open/CODE.

import { render, type ComponentChildren } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";

import { ApiError } from "../api/client";
import { useRoute } from "../app/route";
import { chooseFirstLanguage, LanguageButton } from "../app/settings";
import "../app/style.css";
import { useLanguage, useText } from "../app/text";
import { setTheme, theme, useTheme } from "../common/theme";
import { Button, Waiting } from "../common/parts";
import "../play/style.css";
import { keptKey, linkOf, readLink, textIn, type Link } from "./logic";
import { Trouble } from "./parts";
import { Session } from "./session";
import "./style.css";
import { words, type Words } from "./text";
import { useStudy } from "./use_study";

function ThemeButton() {
  const t = useText(words);
  useTheme();
  const isDark = theme() === "dark" || (theme() === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  return (
    <Button kind="quiet" onClick={() => setTheme(isDark ? "light" : "dark")}>
      {t(isDark ? "light" : "dark")}
    </Button>
  );
}

function Frame(props: { title: string; children: ComponentChildren }) {
  useLayoutEffect(() => void (document.title = props.title === "" ? "senjutsu" : props.title), [props.title]);
  return (
    <>
      <header class="study-header">
        <p class="study-title">{props.title}</p>
        <div class="study-tools">
          <LanguageButton />
          <ThemeButton />
        </div>
      </header>
      {props.children}
    </>
  );
}

/** A sentence in place of the study. */
function Notice(props: { title: Words; text: Words }) {
  const t = useText(words);
  return (
    <main class="page study stack">
      <h1>{t(props.title)}</h1>
      <p>{t(props.text)}</p>
    </main>
  );
}

const isFull = (error: unknown): boolean => error instanceof ApiError && error.failure?.code === "refused.study_full";

function Failed(props: { error: unknown; retry: () => void }) {
  const t = useText(words);
  const status = props.error instanceof ApiError ? props.error.status : 0;
  if (status === 403 || status === 404) return <Notice title="bad_link_title" text="bad_link" />;
  return (
    <main class="page study stack">
      <h1>{t("trouble")}</h1>
      <Trouble error={props.error} />
      <div><Button kind="main" onClick={props.retry}>{t("retry")}</Button></div>
    </main>
  );
}

function Visitor(props: { link: Link }) {
  const t = useText(words);
  const at = useLanguage();
  const live = useStudy(props.link);
  const { study } = live;
  const title = study === null ? "" : textIn(study.title, at);
  return (
    <Frame title={title}>
      {isFull(live.refused) || isFull(live.error) ? (
        <Notice title="full_title" text="full" />
      ) : live.error !== null ? (
        <Failed error={live.error} retry={() => void live.read()} />
      ) : study !== null ? (
        <Session live={live} study={study} link={props.link} />
      ) : (
        <main class="page study"><Waiting text={t(live.lost ? "offline" : "loading")} height="20rem" /></main>
      )}
    </Frame>
  );
}

/** Who has agreed by the open link goes on as this participant. */
function useOwnLink(): Link | null {
  useRoute();
  const link = readLink(location.hash);
  const key = link !== null && "open" in link ? keptKey(link.open) : null;
  useEffect(() => {
    if (key !== null) location.replace(linkOf(key));
  }, [key]);
  return key === null ? link : { participant: key };
}

function Page() {
  const link = useOwnLink();
  if (link === null) return <Frame title=""><Notice title="no_link_title" text="no_link" /></Frame>;
  return <Visitor key={JSON.stringify(link)} link={link} />;
}

chooseFirstLanguage();
render(<Page />, document.getElementById("app") as HTMLElement);

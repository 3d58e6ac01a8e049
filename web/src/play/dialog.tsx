// SPDX-License-Identifier: MIT
//
// A question or a message over the page. The browser's own dialog: it keeps the focus, and Escape closes it.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren; actions: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = box.current;
    if (dialog === null) return undefined;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      class="play-dialog"
      ref={box}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault(); // whoever shows it takes it away
        props.onClose();
      }}
    >
      <h2 id={id}>{props.title}</h2>
      <div class="stack">{props.children}</div>
      <div class="row play-dialog-actions">{props.actions}</div>
    </dialog>
  );
}

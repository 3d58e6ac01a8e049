// SPDX-License-Identifier: MIT
//
// A modal dialog. The browser's own element: it keeps the focus, and Escape closes it.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

import "./dialog.css";

export function Dialog(props: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  actions?: ComponentChildren;
  wide?: boolean;
}) {
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
      class={props.wide ? "dialog dialog-wide" : "dialog"}
      ref={box}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault(); // the owner removes it
        props.onClose();
      }}
      onClick={(event) => event.target === box.current && props.onClose()} // beside it
    >
      <div class="dialog-inside stack">
        <h2 id={id}>{props.title}</h2>
        {props.children}
        {props.actions !== undefined && <div class="row dialog-actions">{props.actions}</div>}
      </div>
    </dialog>
  );
}

// SPDX-License-Identifier: MIT
//
// A menu below a button of the header; closed by Escape, a click elsewhere, or navigation.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

export function Menu(props: { sign: ComponentChildren; label: string; children: ComponentChildren }) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return undefined;
    const close = () => setOpen(false);
    const outside = (event: Event) => box.current?.contains(event.target as Node) || close();
    addEventListener("pointerdown", outside);
    addEventListener("hashchange", close);
    return () => {
      removeEventListener("pointerdown", outside);
      removeEventListener("hashchange", close);
    };
  }, [open]);

  const press = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !open) return;
    event.preventDefault();
    setOpen(false);
    box.current?.querySelector("button")?.focus();
  };
  return (
    <div class="menu" ref={box} onKeyDown={press}>
      <button
        type="button"
        class="button button-quiet"
        aria-expanded={open}
        aria-controls={id}
        aria-label={props.label}
        title={props.label}
        onClick={() => setOpen(!open)}
      >
        {props.sign}
      </button>
      {open && (
        <div class="menu-sheet stack" id={id} role="group" aria-label={props.label}>{props.children}</div>
      )}
    </div>
  );
}

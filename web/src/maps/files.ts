// SPDX-License-Identifier: MIT
//
// Downloads and uploads.

import { useEffect, useRef } from "preact/hooks";

/** Saves a text as a file, without asking the server. */
export function saveText(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000); // the download has started by then
}

const FILE_MAX = 1 << 20;

/** Reads a map's text in UTF-8, or Shift_JIS for older maps. */
export async function readMapFile(file: File): Promise<string> {
  const bytes = await file.slice(0, FILE_MAX).arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis").decode(bytes);
  }
}

// ---- files that are dropped ----

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

/** Handles files dropped anywhere on the page; by default the browser would open them. While a file is dragged over the
 *  page, the style sheet marks the target. */
export function useDroppedFile(onFile: (file: File) => void): void {
  const latest = useRef(onFile);
  latest.current = onFile;
  useEffect(() => {
    const root = document.documentElement;
    const clear = () => void delete root.dataset["dropping"];
    const over = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      root.dataset["dropping"] = "yes";
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && clear();
    const drop = (event: DragEvent) => {
      clear();
      if (!carriesFiles(event)) return;
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) latest.current(file);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      clear();
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
}

// A file that was dropped on the list is opened by the editor.
let waiting: File | null = null;

export function passOn(file: File): void {
  waiting = file;
}

/** Returns it once. */
export function takeOver(): File | null {
  const file = waiting;
  waiting = null;
  return file;
}

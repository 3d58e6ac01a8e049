// SPDX-License-Identifier: MIT
//
// Files that leave the page, and those that come.

/** Saves a text as a file, without asking the server. */
export function saveText(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000); // the browser has begun by then
}

const FILE_MAX = 1 << 20;

/** Reads a map's text in whatever character set its author had: most are UTF-8, older ones Shift_JIS. */
export async function readMapFile(file: File): Promise<string> {
  const bytes = await file.slice(0, FILE_MAX).arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis").decode(bytes);
  }
}

// SPDX-License-Identifier: MIT

/** TUBSTAP records are Shift JIS, ours are UTF-8: invalid UTF-8 is read as Shift JIS. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis").decode(bytes);
  }
}

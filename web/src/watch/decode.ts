// SPDX-License-Identifier: MIT

/** Records of the platform are Shift JIS, ours are UTF-8: what is not one is read as the other. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis").decode(bytes);
  }
}

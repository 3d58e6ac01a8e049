// SPDX-License-Identifier: MIT
//
// Translates the texts of a plot. Plots are drawn by gnuplot in English, so that the files are the same in both
// languages; the page replaces the texts.

const meanings: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

function plain(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (sign) => meanings[sign] ?? sign);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The picture with translated texts; `say` translates each. */
export function worded(svg: string, say: (text: string) => string): string {
  return svg.replace(/(<text[^>]*>)([^<]*)(?=<\/text>)/g, (_, tag: string, text: string) => tag + escaped(say(plain(text))));
}

/** As a data URL; shown as an image, which runs no scripts and loads nothing. */
export function address(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

// SPDX-License-Identifier: MIT
//
// A plot's words in the language at hand. Plots are drawn by gnuplot, in English, so that they are the same for everybody
// who has the files; here the page says what stands in them.

const meanings: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

function plain(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (sign) => meanings[sign] ?? sign);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The picture with other words: `say` is asked for each. */
export function worded(svg: string, say: (text: string) => string): string {
  return svg.replace(/(<text[^>]*>)([^<]*)(?=<\/text>)/g, (_, tag: string, text: string) => tag + escaped(say(plain(text))));
}

/** As the address of a picture; it is shown as an image, which runs and loads nothing. */
export function address(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

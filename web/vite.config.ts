// SPDX-License-Identifier: MIT
import { defineConfig } from "vite";

// `npm run dev` serves the page with the data of `senjutsu serve` on its default port.
const server = process.env["SENJUTSU_SERVER"] ?? "http://127.0.0.1:8080";

/** Libraries have files of their own, and so has what is said in both languages, one a folder: so the size of our own
 *  code can be seen (tools/check-page-size). */
function chunkOf(id: string): string | undefined {
  const library = /\/node_modules\/(\w+)\/.*\.[cm]?js$/.exec(id);
  if (library !== null) return `library-${library[1]}`;
  if (id.endsWith("/src/app/text.ts")) return "frame"; // used by all texts
  const found = /\/src\/(\w+)\/(\w*text\w*|help_ja)\.ts$/.exec(id);
  if (found === null) return undefined;
  return found[2] === "help_ja" ? "text-help-ja" : `text-${found[1]}`;
}

/** The script of report pages (src/base/encode.h): one classic script and one style sheet, to be put inline. */
const report = {
  target: "es2022",
  reportCompressedSize: false,
  cssCodeSplit: false,
  copyPublicDir: false,
  lib: { entry: "src/report/main.tsx", formats: ["iife" as const], name: "report", fileName: () => "report.js" },
};

/** The page of a study's participants (src/study): served below its own folder, and nothing of the workbench is in it. */
const study = {
  target: "es2022",
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
};

const page = {
  ...study,
  rollupOptions: { output: { manualChunks: chunkOf } },
};

/** Which of the three is built: SENJUTSU_PAGE=report or =study; the workbench without it. */
const wanted = process.env["SENJUTSU_PAGE"] ?? "";

export default defineConfig({
  ...(wanted === "study" ? { root: "src/study", publicDir: "../../public" } : {}),
  base: wanted === "study" ? "/study/" : "/",
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  define: wanted === "report" ? { "process.env.NODE_ENV": '"production"' } : {},
  build: wanted === "report" ? report : wanted === "study" ? study : page,
  server: { port: 5173, strictPort: true, proxy: { "/api": { target: server, changeOrigin: true, headers: { origin: server } } } },
});

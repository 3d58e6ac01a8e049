// SPDX-License-Identifier: MIT
import { defineConfig } from "vite";

// `npm run dev` shows the page with what `senjutsu serve` answers on its usual port.
const server = process.env["SENJUTSU_SERVER"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  base: "/",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
  server: { port: 5173, strictPort: true, proxy: { "/api": { target: server, changeOrigin: true } } },
});

// SPDX-License-Identifier: MIT
import { defineConfig } from "vitest/config";

// The page's logic, without a browser.
export default defineConfig({
  server: { host: "127.0.0.1" }, // no lookup of "localhost"
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  test: {
    include: ["tests/unit/**/*.test.ts", "tests/unit/**/*.test.tsx"],
    environment: "node",
    pool: "threads",
    isolate: false, // starting each file anew takes longer than all tests
  },
});

// SPDX-License-Identifier: MIT
import { defineConfig } from "vitest/config";

// The page's logic, without a browser.
export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  test: { include: ["tests/unit/**/*.test.ts", "tests/unit/**/*.test.tsx"], environment: "node" },
});

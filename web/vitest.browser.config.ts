// SPDX-License-Identifier: MIT
import { defineConfig } from "vitest/config";

// The built program and a real browser: each file starts a server of its own. One after the other, because they share
// the machine's cores with a browser.
export default defineConfig({
  test: {
    include: ["tests/browser/**/*.test.ts"],
    environment: "node",
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});

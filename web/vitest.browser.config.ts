// SPDX-License-Identifier: MIT
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// The built program and a real browser: each file starts a server of its own. Two files at a time, because each waits
// half of its time; not more, because they share the machine's cores with a browser.
const workers = Math.min(2, availableParallelism());

export default defineConfig({
  test: {
    include: ["tests/browser/**/*.test.ts"],
    environment: "node",
    globalSetup: "tests/browser/browser.ts",
    pool: "forks",
    isolate: false, // what is imported (playwright, the compiler) is big, and knows nothing of the tests
    minWorkers: workers,
    maxWorkers: workers,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});

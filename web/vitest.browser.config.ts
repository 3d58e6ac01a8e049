// SPDX-License-Identifier: MIT
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// The built program and a real browser: each file starts a server of its own. Two files at a time, because each waits
// half of its time; not more, because they share the machine's cores with a browser.
const workers = Math.min(2, availableParallelism());

/** The file that takes longest begins first, so that the other worker need not wait for it in the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = (file: TestSpecification) => file.moduleId.endsWith("/everywhere.test.ts");
    return (await super.sort(files)).sort((a, b) => Number(isLongest(b)) - Number(isLongest(a)));
  }
}

export default defineConfig({
  server: { host: "127.0.0.1" }, // no lookup of "localhost"
  test: {
    include: ["tests/browser/**/*.test.ts"],
    environment: "node",
    globalSetup: "tests/browser/browser.ts",
    pool: "forks",
    isolate: false, // imports (playwright, the compiler) are large and have no state of the tests
    minWorkers: workers,
    maxWorkers: workers,
    sequence: { sequencer: LongestFirst },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});

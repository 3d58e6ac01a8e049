// SPDX-License-Identifier: MIT
//
// One browser for all files, which connect to it: to start it takes longer than many a test.

import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    browser: string; // where to connect
  }
}

export default async function startBrowser(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({
    host: "127.0.0.1",
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
  });
  project.provide("browser", server.wsEndpoint());
  return () => server.close();
}

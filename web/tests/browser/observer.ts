// SPDX-License-Identifier: MIT
//
// Checks the values received over the network against src/api/types.ts: every value becomes a constant of its type in a
// module that the compiler checks with the page's own strictness. A missing or additional member, or one of another
// type, is reported by its name.

import { fileURLToPath } from "node:url";

import ts from "typescript";

export interface Seen {
  type: string; // in words of types.ts: "LiveGame", "MapInfo[]", 'LiveGameEvents["step"]'
  from: string; // the place where it was received, for the error message
  value: unknown;
}

const folder = fileURLToPath(new URL("../..", import.meta.url));
const moduleName = `${folder}tests/browser/seen.ts`; // it is never written

function optionsOfPage(): ts.CompilerOptions {
  const file = ts.readConfigFile(`${folder}tsconfig.json`, (name) => ts.sys.readFile(name));
  const { options } = ts.parseJsonConfigFileContent(file.config, ts.sys, folder);
  return { ...options, types: [] };
}

function moduleOf(seen: Seen[]): string {
  const lines = seen.map(({ type, value }, at) => `export const seen${at}: ${type.replace(/\b[A-Z]\w*/, "Api.$&")} = ${JSON.stringify(value)};`);
  return ['import type * as Api from "../../src/api/types";', ...lines].join("\n");
}

const read = new Map<string, ts.SourceFile | undefined>(); // the language's own declarations are long

/** The compiler's messages, a sentence each; empty when all types match. */
export function complaintsAbout(seen: Seen[]): string[] {
  const options = optionsOfPage();
  const host = ts.createCompilerHost(options);
  const text = moduleOf(seen);
  const fromDisk = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version, ...more) => {
    if (name === moduleName) return ts.createSourceFile(name, text, version);
    if (!read.has(name)) read.set(name, fromDisk(name, version, ...more));
    return read.get(name);
  };
  const program = ts.createProgram([moduleName], options, host);
  return ts.getPreEmitDiagnostics(program).map((found) => {
    const line = found.file?.fileName === moduleName ? found.file.getLineAndCharacterOfPosition(found.start ?? 0).line : 0;
    const about = seen[line - 1];
    const what = ts.flattenDiagnosticMessageText(found.messageText, "\n");
    return about === undefined ? `${found.file?.fileName}: ${what}` : `${about.from} as ${about.type}: ${what}`;
  });
}

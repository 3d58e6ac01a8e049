// SPDX-License-Identifier: MIT
//
// Routes and limits read from the server's code, for tests that compare them with other places.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

const sources = ["src/serve", "src/net", "src/game/tbs"].flatMap((folder) =>
  readdirSync(root + folder)
    .filter((name) => /\.[ch]$/.test(name))
    .map((name) => readFileSync(`${root}${folder}/${name}`, "latin1")),
);

const allRoutes = sources.flatMap((text) => [...text.matchAll(/\{MESSAGE_(\w+), "(\/api\/[^"]*)"/g)].map(([, method, path]) => `${method} ${path}`));
const isOfStudies = (route: string): boolean => route.includes(" /api/study");

/** "GET /api/tables/*" and so on, those of one table in its order. */
export const routes = new Set(allRoutes.filter((route) => !isOfStudies(route)));

/** Those that only the server of a study has. */
export const studyRoutes = new Set(allRoutes.filter(isOfStudies));

/** The first that fits, as the server takes it. */
export function routeOf(method: string, path: string): string | undefined {
  const parts = (path.split("?")[0] ?? "").split("/");
  const fits = (route: string) => {
    const wanted = route.split("/");
    return wanted.length === parts.length && wanted.every((part, at) => part === "*" || part === parts[at]);
  };
  return [...routes].find((route) => route.startsWith(`${method} `) && fits(route.slice(method.length + 1)));
}

/** A constant, wherever one has that name: a number, or one that is shifted. */
export function valuesOf(name: string): number[] {
  const definition = new RegExp(`\\b${name} = (\\d+)(?: << (\\d+))?`, "g");
  return sources.flatMap((text) => [...text.matchAll(definition)].map(([, number, shift]) => Number(number) * 2 ** Number(shift ?? 0)));
}

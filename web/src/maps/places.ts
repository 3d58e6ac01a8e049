// SPDX-License-Identifier: MIT
//
// The addresses of the maps' screens.

import { href, type Route } from "../app/route";
import { nameParts } from "./browse";

export type Place =
  | { at: "list" }
  | { at: "details"; name: string }
  | { at: "edit"; from: string; isDraft: boolean }
  | { at: "judge"; job: string }
  | { at: "evolve"; job: string | null; from: string[] };

export function readPlace(route: Pick<Route, "rest" | "query">): Place {
  const [first, ...rest] = route.rest;
  if (first === undefined) return { at: "list" };
  if (first === "edit") {
    const draft = route.query["draft"];
    return { at: "edit", from: draft ?? rest.join("/"), isDraft: draft !== undefined };
  }
  if (first === "judge" && rest[0] !== undefined) return { at: "judge", job: rest[0] };
  if (first === "evolve")
    return { at: "evolve", job: rest[0] ?? null, from: (route.query["from"] ?? "").split(",").filter((name) => name !== "") };
  return { at: "details", name: route.rest.join("/") };
}

/** Maps are edited under their own address; drafts from other screens have a key with a colon instead of a name. */
export function draftPlace(from: string): string {
  return from.includes(":") ? href("maps", ["edit"], { draft: from }) : href("maps", from === "" ? ["edit"] : ["edit", ...nameParts(from)]);
}

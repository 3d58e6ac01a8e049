// SPDX-License-Identifier: MIT
//
// The current place, from the address after '#':
// "#/play/ID?key=K" is {screen: "play", rest: ["ID"], query: {key: "K"}}.

import { useEffect, useState } from "preact/hooks";

export interface Route {
  screen: string; // "" on the home screen
  rest: string[];
  query: Record<string, string>;
}

/** A typed address may be malformed: then it is used undecoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [screen = "", ...rest] = path.split("/").map(decoded);
  return { screen, rest: rest.filter((part) => part !== ""), query: Object.fromEntries(new URLSearchParams(query)) };
}

export function href(screen: string, rest: (string | number)[] = [], query: Record<string, string> = {}): string {
  const path = [screen, ...rest].map((part) => encodeURIComponent(String(part))).join("/");
  const parameters = new URLSearchParams(query).toString();
  return `#/${path}${parameters === "" ? "" : `?${parameters}`}`;
}

export function go(screen: string, rest: (string | number)[] = [], query: Record<string, string> = {}): void {
  location.hash = href(screen, rest, query);
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const change = () => setRoute(readRoute(location.hash));
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  return route;
}

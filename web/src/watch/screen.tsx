// SPDX-License-Identifier: MIT
import type { Route } from "../app/route";

export function WatchScreen(_: { route: Route }) {
  return <p>watch</p>;
}

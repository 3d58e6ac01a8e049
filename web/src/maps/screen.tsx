// SPDX-License-Identifier: MIT
import type { Route } from "../app/route";

export function MapsScreen(_: { route: Route }) {
  return <p>maps</p>;
}

// SPDX-License-Identifier: MIT
import type { Route } from "../app/route";

export function ExperimentsScreen(_: { route: Route }) {
  return <p>experiments</p>;
}

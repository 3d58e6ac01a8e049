// SPDX-License-Identifier: MIT
import type { Route } from "../app/route";

export function PlayScreen(_: { route: Route }) {
  return <p>play</p>;
}

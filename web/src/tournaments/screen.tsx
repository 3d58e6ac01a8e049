// SPDX-License-Identifier: MIT
import type { Route } from "../app/route";

export function TournamentsScreen(_: { route: Route }) {
  return <p>tournaments</p>;
}

// SPDX-License-Identifier: MIT
import type { Route } from "../app/route";

export function AnalyseScreen(_: { route: Route }) {
  return <p>analyse</p>;
}

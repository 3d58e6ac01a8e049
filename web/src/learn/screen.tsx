// SPDX-License-Identifier: MIT
import type { Route } from "../app/route";

export function LearnScreen(_: { route: Route }) {
  return <p>learn</p>;
}

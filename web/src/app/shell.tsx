// SPDX-License-Identifier: MIT
import { useRoute } from "./route";

export function Shell() {
  const route = useRoute();
  return <main>{route.screen}</main>;
}

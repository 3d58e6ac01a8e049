// SPDX-License-Identifier: MIT
import { sideName, terrainName, unitName } from "../app/names";

/** A side, unit or terrain by its server name, in the current language. */
export function wordOf(name: string): string {
  if (name === "red") return sideName("tbs", 0);
  if (name === "blue") return sideName("tbs", 1);
  return terrainName(unitName(name));
}

// SPDX-License-Identifier: MIT
//
// Screens come when they are first wanted, and then the server may be gone. What was asked for in vain is not asked for
// again by the loader: a screen that comes later would be without its styles. So after a failure nothing is patched
// together; the page is loaded anew, as soon as there is somebody to load it from.

import { api } from "../api/client";
import { helpReady } from "./help";
import { screens, type Screen, type ScreenName } from "./screens";

let isTorn = false;

/** Any part that could not be fetched, pictures as well: its styles may belong to a screen, too. */
addEventListener("vite:preloadError", () => (isTorn = true));

function loadAnew(): Promise<never> {
  location.reload();
  return new Promise(() => {}); // nothing is shown any more
}

/** The screen with all that it needs; fails while the server does not answer, and may be called again then. */
export async function fetchScreen(name: ScreenName): Promise<Screen> {
  if (isTorn) return api.get("/api/about").then(loadAnew);
  const [screen] = await Promise.all([screens[name](), helpReady()]);
  return screen;
}

// SPDX-License-Identifier: MIT
//
// Screens are loaded on first use, when the server may be down. The loader does not retry a failed request, so a screen
// loaded later could lack its styles. After a failure the whole page is therefore reloaded as soon as the server is
// back.

import { api } from "../api/client";
import { helpReady } from "./help";
import { screens, type Screen, type ScreenName } from "./screens";

let isTorn = false;

/** Any part that could not be fetched, pictures as well: its styles may belong to a screen, too. */
addEventListener("vite:preloadError", () => (isTorn = true));

/** The screen with all that it needs; fails while the server does not respond; may be called again. */
export async function fetchScreen(name: ScreenName): Promise<Screen> {
  if (isTorn) {
    await api.get("/api/about");
    location.reload();
    return new Promise(() => {}); // the page is being replaced
  }
  const [screen] = await Promise.all([screens[name](), helpReady()]);
  return screen;
}

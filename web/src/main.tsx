// SPDX-License-Identifier: MIT
import { render } from "preact";

import { setGames } from "./app/names";
import { Shell } from "./app/shell";
import "./app/style.css";
import { shared } from "./common/data";

// Names of sides come from the server; without them the page still shows why it cannot be reached.
void shared.games
  .get()
  .then(setGames, () => undefined)
  .then(() => render(<Shell />, document.getElementById("app") as HTMLElement));

// SPDX-License-Identifier: MIT
import { render } from "preact";

import { Shell } from "./app/shell";

render(<Shell />, document.getElementById("app") as HTMLElement);

// SPDX-License-Identifier: MIT
import { render } from "preact";

import { Shell } from "./app/shell";
import "./app/style.css";

render(<Shell />, document.getElementById("app") as HTMLElement);

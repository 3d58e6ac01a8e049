// SPDX-License-Identifier: MIT
//
// Japanese for the help texts of games, players, options, presets, experiments and maps, by their names. "players.*.sims"
// is the option of all players that have no entry of their own. Texts without an entry are shown in English.

import { experiments } from "./help_ja/experiments";
import { games } from "./help_ja/games";
import { maps } from "./help_ja/maps";
import { players } from "./help_ja/players";
import { presets } from "./help_ja/presets";

export const help_ja: Record<string, string> = { ...games, ...players, ...presets, ...experiments, ...maps };

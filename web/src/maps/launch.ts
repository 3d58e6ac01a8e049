// SPDX-License-Identifier: MIT
//
// Starts games and jobs on a map. An unsaved map is sent as text.

import { api } from "../api/client";
import type { JudgeParams, NewLiveGame, NewLiveGameAnswer, TbsMap } from "../api/types";
import { go } from "../app/route";
import { shared } from "../common/data";
import { startJob } from "../common/jobs";
import { keepDraft } from "./drafts";

/** A game on a map that has no name: against the default opponent. */
export async function playText(map_text: string): Promise<void> {
  const games = await shared.games.get();
  const spec = games.find((game) => game.name === "tbs")?.opponent ?? "random";
  const liveGame: NewLiveGame = { game: "tbs", map_text, seats: [{ kind: "human" }, { kind: "player", spec }] };
  const made = await api.post<NewLiveGameAnswer>("/api/tables", liveGame);
  go("play", [made.id], made.keys[0] === null ? {} : { key: made.keys[0] });
}

export async function judge(params: JudgeParams): Promise<void> {
  const job = await startJob("judge", params);
  go("maps", ["judge", job.id]);
}

/** Opens the map in the editor as a draft with its own key. */
export function editMap(map: TbsMap, from: string, name: string): void {
  keepDraft({ from, name, map, saved: null, at: Date.now() }, localStorage);
  go("maps", ["edit"], { draft: from });
}

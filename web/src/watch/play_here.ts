// SPDX-License-Identifier: MIT
//
// Continues a game from a position: a new live game that starts there, with a human on one side and the default opponent on
// the other.

import { api } from "../api/client";
import type { GameInfo, StartingPosition, NewSeat, NewLiveGame, NewLiveGameAnswer, Side } from "../api/types";
import { gameOf } from "../app/names";
import { go } from "../app/route";
import { shared } from "../common/data";
import { saveGame } from "../play/saved";

export function gameFrom(start: StartingPosition, position: string, mine: Side, opponent: string): NewLiveGame {
  const person: NewSeat = { kind: "human" };
  const other: NewSeat = { kind: "player", spec: opponent };
  return { ...start, position, seats: mine === 0 ? [person, other] : [other, person] };
}

export async function playHere(start: StartingPosition, position: string, mine: Side): Promise<void> {
  const games: GameInfo[] = await shared.games.get();
  const opponent = games.find((game) => game.name === gameOf(start.game))?.opponent ?? "random";
  const made = await api.post<NewLiveGameAnswer>("/api/tables", gameFrom(start, position, mine, opponent));
  saveGame({
    id: made.id,
    keys: made.keys[mine] ?? "",
    invite: null,
    game: gameOf(start.game),
    map: start.map ?? "",
    against: opponent,
    started: Date.now(),
    over: false,
  });
  go("play", [made.id]);
}

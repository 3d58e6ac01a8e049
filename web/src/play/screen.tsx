// SPDX-License-Identifier: MIT
//
// #/play: a new game. #/play/ID: a game; its keys come from this browser, or from an invitation link.

import { useMemo } from "preact/hooks";

import type { Route } from "../app/route";
import { Game } from "./game";
import { findGame, saveGame, type SavedGame } from "./saved";
import { Start } from "./start";
import "./style.css";

/** Stores the key of a link. Games started in this browser are unchanged. */
function keep(id: string, keys: string): SavedGame {
  const known = findGame(id);
  if (known !== null) return { ...known, keys, invite: known.keys === keys ? known.invite : null };
  const game = { id, keys, invite: null, game: "", map: "", against: "", started: Date.now(), over: false };
  saveGame(game);
  return game;
}

export function PlayScreen(props: { route: Route }) {
  const id = props.route.rest[0];
  const key = props.route.query["key"];
  const game = useMemo(() => (id === undefined ? null : key === undefined ? findGame(id) : keep(id, key)), [id, key]);
  if (id === undefined) return <Start query={props.route.query} />;
  return <Game key={id} id={id} keys={game?.keys ?? ""} invite={game?.invite ?? null} />;
}

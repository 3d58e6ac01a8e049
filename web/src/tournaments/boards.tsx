// SPDX-License-Identifier: MIT
//
// The games under way, as small boards. There are as many places as games at a time: a new game takes the place of one
// that is over.

import { useEffect, useState } from "preact/hooks";

import type { LiveBoard } from "../api/types";
import { resultShort } from "../app/names";
import { useText } from "../app/text";
import { GeisterBoard } from "../board/geister";
import { TbsBoard } from "../board/tbs";
import { Empty, SideMark } from "../common/parts";
import { words } from "./text";

const BOARDS_MAX = 16;

/** The boards with a new look at one: in its own place, in that of a game that is over, or behind the others. */
export function withBoard(known: LiveBoard[], board: LiveBoard): LiveBoard[] {
  const at = known.findIndex((one) => one.game === board.game);
  if (at >= 0) return known.map((one, i) => (i === at ? board : one));
  const free = known.findIndex((one) => one.over);
  if (free >= 0) return known.map((one, i) => (i === free ? board : one));
  return known.length < BOARDS_MAX ? [...known, board] : [...known.slice(1), board];
}

function Picture(props: { board: LiveBoard; label: string }) {
  const { state, board } = props.board;
  if (state.game === "tbs" && board !== null) return <TbsBoard map={board} units={state.units} label={props.label} small />;
  if (state.game === "geister") return <GeisterBoard state={state} from={0} label={props.label} small />;
  return <pre class="small">{state.text}</pre>;
}

function Board(props: { board: LiveBoard }) {
  const t = useText(words);
  const { game, players, map, ply, state, over } = props.board;
  return (
    <figure class="tournaments-board">
      <figcaption class="small">
        <SideMark side={0}>{players[0]}</SideMark>
        <SideMark side={1}>{players[1]}</SideMark>
      </figcaption>
      <Picture board={props.board} label={t("board_label", { number: game + 1, first: players[0], second: players[1] })} />
      <span class="small quiet">
        {map} · {over ? resultShort(state.result) : t("ply", { ply })}
      </span>
    </figure>
  );
}

export function Boards(props: { boards: LiveBoard[]; running: boolean }) {
  const t = useText(words);
  // The last boards stay a moment after the end, so that their results can be read.
  const [rested, setRested] = useState(!props.running);
  useEffect(() => {
    if (props.running) {
      setRested(false);
      return undefined;
    }
    const timer = setTimeout(() => setRested(true), 5000);
    return () => clearTimeout(timer);
  }, [props.running]);
  if (!props.running && rested) return <Empty text={t("boards_none")} />;
  if (props.boards.length === 0) return <Empty text={t("boards_wait")} />;
  return (
    <div class="tournaments-boards">
      {props.boards.map((board, place) => (
        <Board key={place} board={board} />
      ))}
    </div>
  );
}

// SPDX-License-Identifier: MIT
//
// Live games as small boards. There are as many places as concurrent games: a new game takes the place of a finished
// one.

import { useEffect, useState } from "preact/hooks";

import type { LiveBoard } from "../api/types";
import { resultShort } from "../app/names";
import { href } from "../app/route";
import { useText } from "../app/text";
import { GeisterBoard } from "../board/geister";
import { TbsBoard } from "../board/tbs";
import { Empty, SideMark } from "../common/parts";
import { words } from "./text";

const BOARDS_MAX = 16;

/** Updates the boards: a game keeps its place, takes that of a finished game, or is appended. A late viewer also
 *  receives finished games; they take no place from later ones. */
export function withBoard(known: LiveBoard[], board: LiveBoard): LiveBoard[] {
  const at = known.findIndex((one) => one.game === board.game);
  if (at >= 0) return known.map((one, i) => (i === at ? board : one));
  if (board.over && known.length > 0) return known;
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

function Name(props: { side: 0 | 1; name: string; plain: boolean }) {
  return (
    <SideMark side={props.side} plain={props.plain}>
      <span class="tournaments-name clip" title={props.name}>{props.name}</span>
    </SideMark>
  );
}

function Board(props: { board: LiveBoard; job: string }) {
  const t = useText(words);
  const { game, players, map, ply, state, over } = props.board;
  return (
    <figure class="tournaments-board">
      <figcaption class="small">
        <Name side={0} name={players[0]} plain={state.game !== "tbs"} />
        <Name side={1} name={players[1]} plain={state.game !== "tbs"} />
      </figcaption>
      <Picture board={props.board} label={t("board_label", { number: game + 1, first: players[0], second: players[1] })} />
      <span class="small quiet">
        {map !== "" && `${map} · `}
        {over ? <a href={href("watch", ["job", props.job, game])}>{resultShort(state.result)}</a> : t("ply", { ply })}
      </span>
    </figure>
  );
}

/** Are there boards to show? The last ones stay for a moment after the end. */
export function useBoardsShown(running: boolean): boolean {
  const [shown, setShown] = useState(running);
  useEffect(() => {
    if (running) {
      setShown(true);
      return undefined;
    }
    const timer = setTimeout(() => setShown(false), 5000);
    return () => clearTimeout(timer);
  }, [running]);
  return running || shown;
}

const FEW = 4; // as many are shown large

export function Boards(props: { boards: LiveBoard[]; job: string }) {
  const t = useText(words);
  if (props.boards.length === 0) return <Empty text={t("boards_wait")} />;
  return (
    <div class={`tournaments-boards ${props.boards.length <= FEW ? "tournaments-boards-few" : ""}`}>
      {props.boards.map((board, place) => (
        <Board key={place} board={board} job={props.job} />
      ))}
    </div>
  );
}

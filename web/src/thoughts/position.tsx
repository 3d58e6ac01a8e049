// SPDX-License-Identifier: MIT
//
// Any position on its board, with the last action marked and a line of play drawn as numbered arrows.

import type { Cell, Did, Side, State, TbsMap } from "../api/types";
import { useText } from "../app/text";
import { GeisterBoard } from "../board/geister";
import { PlainBoard, actionsBesideBoard } from "../board/plain";
import { TbsBoard } from "../board/tbs";
import { Button } from "../common/parts";
import { cellsOfDid, drawnArrows, type LineAction } from "./arrows";
import "./style.css";
import { words } from "./text";

export interface PositionBoardProps {
  state: State;
  map: TbsMap | null;
  last?: Did | null; // the action that led here
  line?: LineAction[]; // main line
  from?: Side; // Geister: the side at the bottom
  label: string;
  small?: boolean;
}

type LastMark = { cell: Cell; mark: "from" | "to" };

function lastMarks(last: Did | null): LastMark[] {
  const cells = last === null ? null : cellsOfDid(last);
  if (cells === null) return [];
  return [{ cell: cells.from, mark: "from" }, ...(cells.to === null ? [] : [{ cell: cells.to, mark: "to" as const }])];
}

function targetMarks(last: Did | null): { cell: Cell; mark: "target" }[] {
  const target = last === null ? null : (cellsOfDid(last)?.target ?? null);
  return target === null ? [] : [{ cell: target, mark: "target" }];
}

export function PositionBoard(props: PositionBoardProps) {
  const t = useText(words);
  const { state, map, label } = props;
  const last = props.last ?? null;
  const arrows = drawnArrows(props.line ?? []);
  const small = props.small === true ? { small: true } : {};
  if (state.game === "tbs" && map !== null) {
    const onBoard = arrows.flatMap((arrow) => (arrow.to === null ? [] : [{ ...arrow, to: arrow.to }]));
    return (
      <TbsBoard map={map} units={state.units} marks={[...lastMarks(last), ...targetMarks(last)]} arrows={onBoard} label={label} {...small} />
    );
  }
  if (state.game === "geister") {
    return <GeisterBoard state={state} from={props.from ?? 0} marks={lastMarks(last)} arrows={arrows} label={label} {...small} />;
  }
  if (state.game === "plain" && state.board !== undefined) return <PlainBoard state={state} label={label} />;
  return (
    <div class="stack">
      <p class="quiet">{t("plain")}</p>
      <pre class="thoughts-plain">{state.text}</pre>
    </div>
  );
}

/** A position without a board of its own, and a button for each action that is not a cell of a plain board. */
export function ActionList(props: {
  state: State;
  label: string;
  list: string[];
  listLabel: string;
  best?: string | undefined; // this action is marked
  onAction: (action: string) => void;
}) {
  const { state } = props;
  const isPlain = state.game === "plain" && state.board !== undefined;
  const beside = isPlain ? actionsBesideBoard(state, props.list) : props.list;
  return (
    <div class="stack">
      {isPlain ? (
        <PlainBoard state={state} label={props.label} list={props.list} best={props.best} onAction={props.onAction} />
      ) : (
        <PositionBoard state={state} map={null} label={props.label} />
      )}
      {beside.length > 0 && (
        <div class="row" role="group" aria-label={props.listLabel}>
          {beside.map((action) => (
            <Button key={action} kind={props.best === action ? "main" : "plain"} onClick={() => props.onAction(action)}>
              {action}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

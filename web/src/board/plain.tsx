// SPDX-License-Identifier: MIT
//
// The board of a game that describes it as cells with short texts. Cells whose action is legal can be clicked.

import type { PlainState } from "../api/types";
import "./plain.css";

export interface PlainBoardProps {
  state: PlainState;
  label: string;
  list?: string[]; // legal actions
  best?: string | undefined; // this action is marked
  onAction?: (action: string) => void;
}

export function PlainBoard(props: PlainBoardProps) {
  const { onAction, list = [] } = props;
  return (
    <div class="plain-board" role="group" aria-label={props.label}>
      {(props.state.board ?? []).map((row, y) => (
        <div class="plain-row" key={y}>
          {row.map(([text, action], x) =>
            onAction !== undefined && list.includes(action) ? (
              <button
                type="button"
                class={action === props.best ? "plain-cell plain-best" : "plain-cell"}
                key={x}
                aria-label={action}
                onClick={() => onAction(action)}
              >
                {text}
              </button>
            ) : (
              <span class="plain-cell" key={x}>{text}</span>
            ),
          )}
        </div>
      ))}
    </div>
  );
}

/** The actions that no cell of the board plays. */
export function actionsBesideBoard(state: PlainState, list: string[]): string[] {
  const onBoard = new Set((state.board ?? []).flat().map(([, action]) => action));
  return list.filter((action) => !onBoard.has(action));
}

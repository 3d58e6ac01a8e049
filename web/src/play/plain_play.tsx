// SPDX-License-Identifier: MIT
//
// Playing a game that has no board of its own: the position as text, and a button for each action.

import type { ComponentChildren } from "preact";

import type { Candidate, PlainState, LiveGame } from "../api/types";
import { stateWords } from "../app/names";
import { useText } from "../app/text";
import { ActionList } from "../thoughts/position";
import { Curtain } from "./geister_play";
import { words } from "./text";

export function PlainPlay(props: {
  liveGame: LiveGame;
  state: PlainState;
  acting: boolean;
  hint: Candidate | null;
  onAction: (action: string) => void;
  onUncover?: (() => void) | undefined;
  seat?: ComponentChildren;
}) {
  const t = useText(words);
  const { liveGame, state } = props;
  const mover = state.over ? null : state.mover;
  if (props.onUncover !== undefined && mover !== null) return <Curtain game={state.name} side={mover} seat={props.seat} onOpen={props.onUncover} />;
  const list = props.acting && liveGame.actions?.game === "plain" ? liveGame.actions.list : [];
  return (
    <>
      <div class="play-board">
        <ActionList
          state={state}
          label={stateWords(state)}
          list={list}
          listLabel={t("choose_action")}
          best={props.hint?.action}
          onAction={props.onAction}
        />
      </div>
      {props.seat}
    </>
  );
}

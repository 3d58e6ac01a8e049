// SPDX-License-Identifier: MIT
//
// Playing Geister: the set-up, the board, and the curtain between two people who share a screen.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { Candidate, Cell, GeisterActions, GeisterState, Side, Step, LiveGame } from "../api/types";
import { gameName, sideName } from "../app/names";
import { useText } from "../app/text";
import { GeisterBoard } from "../board/geister";
import { useHotkey } from "../common/keys";
import { Button } from "../common/parts";
import * as logic from "./geister_logic";
import { words } from "./text";

export interface GeisterPlayProps {
  liveGame: LiveGame;
  state: GeisterState; // what is shown
  last: Step | null;
  acting: boolean;
  from: Side; // the side at the bottom
  hint: Candidate | null;
  suggested: string | null; // a set-up, by the adviser
  onAction: (action: string) => void;
  onSuggest?: () => void;
  onUncover?: (() => void) | undefined; // the board is covered until the next person confirms
  seat?: ComponentChildren; // between the board and the controls
}

export function GeisterPlay(props: GeisterPlayProps) {
  const { liveGame, state } = props;
  const mover = state.over ? null : state.mover;
  if (props.onUncover !== undefined && mover !== null) return <Curtain game="geister" side={mover} seat={props.seat} onOpen={props.onUncover} />;
  const actions = props.acting && liveGame.actions?.game === "geister" ? liveGame.actions : null;
  if (actions?.setup) return <Setup {...props} key={mover} />;
  return <Moves {...props} actions={actions} />;
}

/** Covers the board until the next person confirms. */
export function Curtain(props: { game: string; side: Side; seat: ComponentChildren; onOpen: () => void }) {
  const t = useText(words);
  const side = sideName(props.game, props.side);
  return (
    <>
      <div class="play-board play-curtain" role="status">
        <h2>{t("curtain_title")}</h2>
        <p>{t("curtain_text", { side })}</p>
        <Button kind="main" onClick={props.onOpen}>{t("curtain_open", { side })}</Button>
      </div>
      {props.seat}
      <div class="play-choice" />
    </>
  );
}

function Setup(props: GeisterPlayProps) {
  const t = useText(words);
  const side = props.state.mover ?? 0;
  const [now, setNow] = useState<logic.SetupClick>(() => ({ reds: logic.randomSetup(), chosen: null }));
  useEffect(() => {
    if (props.suggested !== null && logic.isSetup(props.suggested)) setNow({ reds: props.suggested, chosen: null });
  }, [props.suggested]);
  useHotkey("Escape", () => setNow({ ...now, chosen: null }), now.chosen !== null);

  const shown = logic.withSetup(props.state, side, now.reds);
  const chosen = now.chosen === null ? null : logic.pieceOf(shown, side, now.chosen);
  const drag = (letter: string, to: Cell): void => {
    const other = logic.pieceAt(shown, to);
    if (other !== null && other.side === side) setNow({ reds: logic.swap(now.reds, letter, other.letter), chosen: null });
  };
  return (
    <>
      <div class="play-board">
        <GeisterBoard
          state={shown}
          from={props.from}
          marks={chosen?.at ? [{ cell: chosen.at, mark: "selected" }] : []}
          label={t("board_label", { game: gameName("geister") })}
          onCell={(cell) => setNow(logic.clickSetup(shown, side, now, cell))}
          onDragPiece={drag}
        />
      </div>
      {props.seat}
      <div class="play-choice">
        <span role="status">{now.chosen === null ? t("setup_text") : t("setup_chosen", { letter: now.chosen })}</span>
        <div class="row">
          <Button onClick={() => setNow({ reds: logic.randomSetup(), chosen: null })}>{t("setup_random")}</Button>
          {props.onSuggest !== undefined && <Button onClick={props.onSuggest}>{t("setup_suggest")}</Button>}
          <Button kind="main" onClick={() => props.onAction(now.reds)}>{t("setup_done")}</Button>
        </div>
      </div>
    </>
  );
}

function lastMarks(last: Step | null): logic.GeisterMark[] {
  if (last?.did.kind !== "geister") return [];
  const { from, to } = last.did;
  return [{ cell: from, mark: "from" }, ...(to === null ? [] : [{ cell: to, mark: "to" } as const])];
}

function Moves(props: GeisterPlayProps & { actions: GeisterActions | null }) {
  const t = useText(words);
  const { state, actions, liveGame } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  const [cursor, setCursor] = useState<Cell | null>(null);
  useEffect(() => setChosen(null), [liveGame.id, liveGame.steps.length, props.acting]);
  useHotkey("Escape", () => setChosen(null), chosen !== null);
  const select = (letter: string | null): void => {
    setChosen(letter);
    const at = letter === null || state.mover === null ? null : logic.pieceOf(state, state.mover, letter)?.at;
    if (at) setCursor(at);
  };
  useHotkey("n", () => select(logic.nextPiece(actions, chosen)), actions !== null);

  const follow = (outcome: logic.Outcome): void => {
    setChosen(outcome.chosen);
    if (outcome.action !== null) props.onAction(outcome.action);
  };
  const exits = logic.exits(actions);
  const hint = props.hint?.did.kind === "geister" ? [{ from: props.hint.did.from, to: props.hint.did.to }] : [];
  return (
    <>
      <div class="play-board">
        <GeisterBoard
          state={state}
          from={props.from}
          marks={[...lastMarks(props.last), ...logic.marks(state, actions, chosen)]}
          exits={exits}
          arrows={hint}
          cursor={cursor}
          label={t("board_label", { game: gameName("geister") })}
          onCell={(cell) => {
            setCursor(cell);
            follow(logic.click(state, actions, chosen, cell));
          }}
          onExit={(corner) => follow({ chosen: null, action: logic.leave(actions, corner) })}
          onDragPiece={(letter, to) => follow({ chosen: null, action: logic.drop(actions, letter, to) })}
        />
      </div>
      {props.seat}
      <div class="play-choice">
        {actions !== null && (
          <span role="status">
            {exits.length > 0 ? t("geister_leave") : chosen === null ? t("geister_choose") : t("geister_place", { letter: chosen })}
          </span>
        )}
        <div class="row">
          {exits.map((corner) => (
            <Button key={String(corner)} kind="main" onClick={() => follow({ chosen: null, action: logic.leave(actions, corner) })}>
              {t("leave_here", { letter: logic.pieceAt(state, corner)?.letter ?? "" })}
            </Button>
          ))}
          {chosen !== null && (
            <Button kind="quiet" hotkey="Escape" onClick={() => setChosen(null)}>{t("cancel")}</Button>
          )}
        </div>
      </div>
    </>
  );
}

// SPDX-License-Identifier: MIT
//
// The board of the analysis: shows lines of play, and accepts moves to try.

import { useEffect, useState } from "preact/hooks";

import type { Cell, Did, GeisterActions, GeisterState, State, TbsActions, TbsMap, TbsState } from "../api/types";
import { didShort, didWords, stateWords, unitName } from "../app/names";
import { useText } from "../app/text";
import { GeisterBoard } from "../board/geister";
import { TbsBoard } from "../board/tbs";
import { useHotkey } from "../common/keys";
import { Button, SideMark, TextField } from "../common/parts";
import * as geister from "../play/geister_logic";
import * as tbs from "../play/tbs_logic";
import { drawnArrows, type LineAction } from "../thoughts/arrows";
import { ActionList } from "../thoughts/position";
import { words } from "./text";
import type { Exploring } from "./use_variation";

interface BoardProps<S extends State, A> {
  state: S;
  map: TbsMap | null;
  actions: A | null;
  line: LineAction[];
  label: string;
  onAction: (action: string) => void;
}

function TbsExplore(props: BoardProps<TbsState, TbsActions>) {
  const t = useText(words);
  const [pick, setPick] = useState<tbs.Pick>(tbs.NOTHING);
  const [hover, setHover] = useState<Cell | null>(null);
  const situation: tbs.Situation = { units: props.state.units, actions: props.actions };
  const now = tbs.stillPossible(situation, pick);
  useEffect(() => setPick(tbs.NOTHING), [props.state]);
  useHotkey("Escape", () => setPick(tbs.back(now)), now.step !== "none");
  const follow = ({ pick: next, action }: tbs.Outcome) => {
    setPick(next);
    if (action !== null) props.onAction(action);
  };
  const picture = tbs.picture(situation, now, hover);
  const arrows = drawnArrows(props.line).flatMap((one) => (one.to === null ? [] : [{ ...one, to: one.to }]));
  const strikes = now.step === "place" ? tbs.strikesFrom(situation, now.unit, now.at) : [];
  return (
    <>
      {props.map !== null && (
        <TbsBoard
          map={props.map}
          units={picture.units}
          marks={picture.marks}
          arrows={now.step === "none" ? arrows : picture.arrows}
          notes={picture.notes}
          label={props.label}
          onCell={(cell) => follow(tbs.click(situation, now, cell))}
          onHover={setHover}
        />
      )}
      <div class="row analyse-choice">
        {now.step === "place" && <Button onClick={() => follow(tbs.stay(situation, now))}>{t("stay")}</Button>}
        {strikes.map((strike) => {
          const target = props.state.units.find(({ id }) => id === strike.target);
          return (
            <Button key={strike.target} onClick={() => follow(tbs.attack(situation, now, strike.target))}>
              × {unitName(target?.type ?? "")} −{strike.damage}
            </Button>
          );
        })}
        <Button kind="quiet" disabled={props.actions === null} onClick={() => props.onAction("pass")}>
          {t("end_turn")}
        </Button>
      </div>
    </>
  );
}

/** Four letters as text: a set-up is one action among seventy. */
function SetupInput(props: { onAction: (action: string) => void }) {
  const t = useText(words);
  const [letters, setLetters] = useState("ABCD");
  const reds = geister.ordered(letters.toUpperCase());
  return (
    <div class="row">
      <TextField label={t("setup_label")} value={letters} onChange={setLetters} invalid={!geister.isSetup(reds)} />
      <Button disabled={!geister.isSetup(reds)} onClick={() => props.onAction(reds)}>
        {t("setup_apply")}
      </Button>
    </div>
  );
}

function GeisterExplore(props: BoardProps<GeisterState, GeisterActions>) {
  const t = useText(words);
  const { state, actions } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(() => setChosen(null), [state]);
  const follow = (outcome: geister.Outcome) => {
    setChosen(outcome.chosen);
    if (outcome.action !== null) props.onAction(outcome.action);
  };
  const exits = geister.exits(actions);
  const arrows = drawnArrows(props.line);
  return (
    <>
      <GeisterBoard
        state={state}
        from={state.mover ?? 0}
        marks={geister.marks(state, actions, chosen)}
        exits={exits}
        arrows={arrows}
        label={props.label}
        onCell={(cell) => follow(geister.click(state, actions, chosen, cell))}
        onExit={(corner) => follow({ chosen: null, action: geister.leave(actions, corner) })}
      />
      <div class="row analyse-choice">
        {actions?.setup && <SetupInput onAction={props.onAction} />}
        {exits.map((corner) => (
          <Button key={String(corner)} onClick={() => follow({ chosen: null, action: geister.leave(actions, corner) })}>
            {t("leave")}
          </Button>
        ))}
      </div>
    </>
  );
}

/** With unknown colours no moves can be tried. */
export function isPartial(state: State): boolean {
  return state.game === "geister" && state.pieces.some((piece) => piece.fate === "board" && piece.colour === "unknown") && state.phase !== "setup";
}

export function ExploreBoard(props: { exploring: Exploring; line: LineAction[] }) {
  const t = useText(words);
  const { position, playLine, isBusy } = props.exploring;
  if (position === null) return null;
  const { state, map } = position;
  const actions = isBusy || isPartial(state) ? null : (position.actions ?? null);
  const common = { map, line: props.line, label: t("board_label", { words: stateWords(state) }), onAction: (action: string) => playLine([action]) };
  if (state.game === "tbs") return <TbsExplore state={state} actions={actions?.game === "tbs" ? actions : null} {...common} />;
  if (state.game === "geister") return <GeisterExplore state={state} actions={actions?.game === "geister" ? actions : null} {...common} />;
  const list = actions?.game === "plain" ? actions.list : [];
  return <ActionList state={state} label={common.label} list={list} listLabel={t("explore_plain")} onAction={common.onAction} />;
}

// ---- the line ----

function LineMove(props: { did: Did; isHere: boolean; isAhead: boolean; onGo: () => void }) {
  return (
    <button
      type="button"
      class={props.isAhead ? "analyse-move analyse-ahead" : "analyse-move"}
      aria-current={props.isHere ? "step" : undefined}
      title={didWords(props.did)}
      onClick={props.onGo}
    >
      <SideMark side={props.did.side}>{didShort(props.did)}</SideMark>
    </button>
  );
}

/** The tried moves, each a link to its place. */
export function TriedLine(props: { exploring: Exploring }) {
  const t = useText(words);
  const { variation, position, goTo, show } = props.exploring;
  if (variation === null || position === null) return null;
  const { moves, at } = variation;
  const explain = position.state.over ? t("explore_over") : isPartial(position.state) ? t("explore_partial") : t("explore_help");
  return (
    <div class="stack gap-2">
      <p class="small quiet">{explain}</p>
      {moves.length > 0 && (
        <>
          <div class="row">
            <Button hotkey="ArrowLeft" disabled={at === 0} onClick={() => goTo(at - 1)}>{t("back")}</Button>
            <Button hotkey="ArrowRight" disabled={at === moves.length} onClick={() => goTo(at + 1)}>
              {t("forth")}
            </Button>
            <Button kind="quiet" onClick={() => show({ ...variation, moves: [], at: 0 })}>
              {t("reset")}
            </Button>
          </div>
          <ol class="analyse-line list" aria-label={t("explore")}>
            <li>
              <button type="button" class="analyse-move" aria-current={at === 0 ? "step" : undefined} onClick={() => goTo(0)}>
                {t("root")}
              </button>
            </li>
            {moves.map((move, index) => (
              <li key={index}>
                <LineMove did={move.did} isHere={index + 1 === at} isAhead={index >= at} onGo={() => goTo(index + 1)} />
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

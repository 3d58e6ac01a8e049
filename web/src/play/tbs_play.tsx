// SPDX-License-Identifier: MIT
//
// Playing the tactical game: the board, and below it the current choices as text and buttons.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { Cell, Candidate, Side, Step, LiveGame, TbsActions, TbsState, TbsUnit } from "../api/types";
import { gameName, unitName } from "../app/names";
import { useText } from "../app/text";
import { TbsBoard, type BoardArrow } from "../board/tbs";
import { useHotkey } from "../common/keys";
import { Button } from "../common/parts";
import * as logic from "./tbs_logic";
import { words } from "./text";
import { threatOf } from "./threat_logic";
import { wantsStill } from "./use_pace";
import { useThreat } from "./use_threat";

export interface TbsPlayProps {
  liveGame: LiveGame;
  state: TbsState; // the shown state
  lastTurn: Step[]; // last turn of the other side
  acting: boolean; // the user may act
  hint: Candidate | null;
  danger: boolean; // all of the enemy's threats
  threats?: boolean; // those of an enemy that is pointed at (default true): the server is asked for them
  onAction: (action: string) => void;
  onReady?: (left: number) => void; // how many units can still act
  goal?: Cell[]; // cells a lesson points at
  seat?: ComponentChildren; // between the board and the controls
}

/** The last turn as marks and arrows, while nothing is chosen. */
function lastMarks(steps: Step[]): Pick<logic.Picture, "marks" | "arrows"> {
  const marks: logic.Picture["marks"] = [];
  const arrows: BoardArrow[] = [];
  for (const { did } of steps) {
    if (did.kind !== "tbs") continue;
    const moved = did.from[0] !== did.to[0] || did.from[1] !== did.to[1];
    if (moved) arrows.push({ from: did.from, to: did.to, kind: "move", weight: 0.4 });
    if (did.target !== undefined) arrows.push({ from: did.to, to: did.target.at, kind: "attack", weight: 0.4 });
  }
  const did = steps[steps.length - 1]?.did;
  if (did?.kind === "tbs") marks.push({ cell: did.from, mark: "from" }, { cell: did.to, mark: "to" });
  return { marks, arrows };
}

function hintArrows(hint: Candidate | null): BoardArrow[] {
  const did = hint?.did;
  if (did?.kind !== "tbs") return [];
  const arrows: BoardArrow[] = [{ from: did.from, to: did.to, kind: "move" }];
  if (did.target !== undefined) arrows.push({ from: did.to, to: did.target.at, kind: "attack" });
  return arrows;
}

/** Shows the threats of the enemy under the pointer, or of all. */
function threatMarks(actions: TbsActions | null, state: TbsState, hover: Cell | null, enemy: Side | null, all: boolean) {
  const pointed = hover && logic.unitAt(state.units, hover);
  if (actions === null || (!all && pointed?.side !== enemy)) return { marks: [], notes: [] };
  const threat = threatOf(actions, state.units, pointed?.side === enemy ? pointed.id : null);
  const reach = pointed?.side === enemy ? threat.reach : [];
  return {
    marks: [
      ...reach.map((cell) => ({ cell, mark: "reach" as const })),
      ...threat.victims.map(({ cell }) => ({ cell, mark: "attack" as const })),
    ],
    notes: threat.victims.map(({ cell, damage }) => ({ cell, text: `\u2212${damage}`, tone: "bad" as const })),
  };
}

/** The choice as it grows, the cursor, and the keys that move both. */
function useChoice(situation: logic.Situation, moment: string, onAction: (action: string) => void) {
  const [pick, setPick] = useState<logic.Pick>(logic.NOTHING);
  const [cursor, setCursor] = useState<Cell | null>(null);
  const [hover, setHover] = useState<Cell | null>(null);
  useEffect(() => setPick((before) => logic.stillPossible(situation, before)), [moment]);
  const now = logic.stillPossible(situation, pick);

  const follow = ({ pick: next, action }: logic.Outcome): void => {
    setPick(next);
    if (action !== null) onAction(action);
  };
  const select = (id: number | null): void => {
    const unit = situation.units.find((one) => one.id === id);
    if (unit === undefined) return;
    setPick({ step: "unit", unit: unit.id });
    setCursor([unit.x, unit.y]);
  };
  const unit = now.step === "none" ? null : now.unit;
  useHotkey("n", () => select(logic.nextReady(situation, unit)), situation.actions !== null);
  useHotkey("Escape", () => setPick(logic.back(now)), now.step !== "none");
  /** Tab goes from unit to unit, and out of the board after the last one. */
  const tab = (event: KeyboardEvent): void => {
    const list = logic.ready(situation);
    const index = unit === null ? (event.shiftKey ? list.length : -1) : list.indexOf(unit);
    const next = list[index + (event.shiftKey ? -1 : 1)];
    if (event.key !== "Tab" || next === undefined) return;
    event.preventDefault();
    select(next);
  };
  return { pick: now, setPick, cursor, setCursor, hover, setHover, follow, tab };
}

export function TbsPlay(props: TbsPlayProps) {
  const t = useText(words);
  const { liveGame, state, acting } = props;
  const actions = acting && liveGame.actions?.game === "tbs" ? liveGame.actions : null;
  const situation: logic.Situation = { units: state.units, actions };
  const choice = useChoice(situation, `${liveGame.id} ${liveGame.steps.length} ${acting}`, props.onAction);
  const { pick, hover } = choice;
  const mine = liveGame.you.includes(state.mover ?? 0) ? (state.mover ?? 0) : (liveGame.you[0] ?? 0);
  const enemy: Side = mine === 0 ? 1 : 0;

  const pointsAtEnemy = hover !== null && logic.unitAt(state.units, hover)?.side === enemy;
  const asks = props.danger || (props.threats !== false && pointsAtEnemy && pick.step === "none");
  const threat = useThreat(liveGame.ground, state, enemy, acting && asks);
  const left = logic.ready(situation).length;
  useEffect(() => props.onReady?.(left), [left]);

  const shown = logic.picture(situation, pick, hover);
  const idle = pick.step === "none";
  const threats = idle ? threatMarks(threat, state, hover, enemy, props.danger) : { marks: [], notes: [] };
  const last = idle && !pointsAtEnemy ? lastMarks(props.lastTurn) : { marks: [], arrows: [] };
  const goal = (props.goal ?? []).map((cell) => ({ cell, mark: "to" as const }));
  return (
    <>
      <div class="play-board" onKeyDown={choice.tab}>
        {liveGame.map !== null && (
          <TbsBoard
            map={liveGame.map}
            units={shown.units}
            marks={[...goal, ...last.marks, ...threats.marks, ...shown.marks]}
            arrows={[...last.arrows, ...(pick.step === "place" ? [] : hintArrows(props.hint)), ...shown.arrows]}
            notes={[...threats.notes, ...shown.notes]}
            cursor={choice.cursor}
            label={t("board_label", { game: gameName("tbs") })}
            onCell={(cell) => {
              choice.setCursor(cell);
              choice.follow(logic.click(situation, pick, cell));
            }}
            onHover={choice.setHover}
          />
        )}
      </div>
      {props.seat}
      <ChoiceBar situation={situation} choice={choice} idle={idleWords(props.danger, threat, threats.marks.length)} />
    </>
  );
}

/** The prompt while nothing is chosen; with all threats shown, also if there are none. */
function idleWords(danger: boolean, threat: TbsActions | null, count: number): "choose_unit" | "danger_on" | "danger_none" {
  if (!danger) return "choose_unit";
  return threat !== null && count === 0 ? "danger_none" : "danger_on";
}

/** On a phone the buttons are below the board, in lessons even below the window. */
function useInView(step: logic.Pick["step"]) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (step !== "none") box.current?.scrollIntoView({ block: "nearest", behavior: wantsStill() ? "auto" : "smooth" });
  }, [step]);
  return box;
}

function ChoiceBar(props: {
  situation: logic.Situation;
  choice: ReturnType<typeof useChoice>;
  idle: ReturnType<typeof idleWords>;
}) {
  const t = useText(words);
  const { situation, choice } = props;
  const { pick } = choice;
  const box = useInView(pick.step);
  const unit = pick.step === "none" ? undefined : situation.units.find(({ id }) => id === pick.unit);
  if (situation.actions === null) return <div class="play-choice" />;
  if (pick.step === "none" || unit === undefined) return <div class="play-choice quiet">{t(props.idle)}</div>;
  const name = { unit: unitName(unit.type) };
  const question =
    pick.step === "unit" ? "choose_place" : logic.strikesFrom(situation, pick.unit, pick.at).length > 0 ? "choose_what" : "choose_stay";
  return (
    <div class="play-choice" ref={box}>
      <span role="status">{t(question, name)}</span>
      <div class="row">
        {pick.step === "place" && <PlaceButtons situation={situation} pick={pick} follow={choice.follow} />}
        <Button kind="quiet" hotkey="Escape" onClick={() => choice.setPick(logic.back(pick))}>
          {t("cancel")}
        </Button>
      </div>
    </div>
  );
}

function PlaceButtons(props: {
  situation: logic.Situation;
  pick: logic.Pick & { step: "place" };
  follow: (outcome: logic.Outcome) => void;
}) {
  const t = useText(words);
  const { situation, pick, follow } = props;
  const strikes = logic.strikesFrom(situation, pick.unit, pick.at);
  return (
    <>
      {strikes.map((strike) => (
        <Button
          key={strike.target}
          kind={pick.aim === strike.target ? "main" : "plain"}
          onClick={() => follow(logic.attack(situation, pick, strike.target))}
        >
          <StrikeWords strike={strike} target={situation.units.find(({ id }) => id === strike.target)} />
        </Button>
      ))}
      <Button kind={pick.aim === null ? "main" : "plain"} onClick={() => follow(logic.stay(situation, pick))}>
        {t("stay")}
      </Button>
    </>
  );
}

function StrikeWords(props: { strike: logic.Strike; target: TbsUnit | undefined }) {
  const t = useText(words);
  const { damage, counter } = props.strike;
  const kills = props.target !== undefined && damage >= props.target.hp;
  return (
    <>
      <span>{t("attack_row", { target: unitName(props.target?.type ?? "") })}</span>
      <span class="small">{kills ? t("attack_kills") : t("attack_figures", { damage, counter })}</span>
    </>
  );
}

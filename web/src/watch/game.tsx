// SPDX-License-Identifier: MIT
//
// A game for spectators: the board at any position, the evaluation there, the course of the game.

import { useCallback, useEffect, useMemo, useReducer, useState } from "preact/hooks";

import type { Candidate, State, Table, Thoughts } from "../api/types";
import { didWords, groundName, isTactical, resultName, seatName, stateWords } from "../app/names";
import { useLanguage, useText } from "../app/text";
import { rulingText } from "../common/errors";
import { Panel, SelectField, UnsavedNote } from "../common/parts";
import { PositionBoard } from "../thoughts/position";
import { Controls, usePlaybackClock, usePlaybackKeys } from "./controls";
import { Course } from "./course";
import { ExportPanel, type RecordLinks } from "./export";
import { stateAt, stepsAround } from "./follow";
import { Moves } from "./moves";
import { isAtEnd, isWaiting, playback, type Playback, startPlayback } from "./playback";
import { Seats } from "./seats";
import { SharePanel } from "./share";
import { turnStarts } from "./series";
import { seenDid, seenState, seenStep, type Sight, unseenSide } from "./sight";
import { words } from "./text";
import { type Shown, ThoughtsPanel, thoughtsAt } from "./thoughts";

export interface WatchGameProps {
  table: Table;
  live: Thoughts | null; // of the player that is thinking
  at?: number; // the position to begin with
  plays?: boolean; // begin to play at once
  links: RecordLinks;
  place: GamePlace;
}

/** Address of this game: a table of the server, or a game of a tournament. */
export type GamePlace = { kind: "table"; id: string; key?: string } | { kind: "job"; job: string; game: number };

function SightChoice(props: { sight: Sight; onChange: (sight: Sight) => void }) {
  const t = useText(words);
  const options = (["all", "first", "second"] as const).map((value) => ({ value, label: t(`sight_${value}`) }));
  return <SelectField label={t("sight")} value={props.sight} options={options} onChange={props.onChange} />;
}

/** The line below the board: the last move, waiting for the next, or the result. */
function Caption(props: { table: Table; p: Playback; state: State; sight: Sight }) {
  const t = useText(words);
  const language = useLanguage();
  const { table, p, state, sight } = props;
  const { last } = stepsAround(table, p.shown);
  const thinker = table.thinking === null ? null : table.seats[table.thinking];
  const isStopped = table.result === "none"; // the game is over without a result
  const waits = thinker === null ? t("waiting") : t("waiting_player", { player: seatName(thinker) });
  return (
    <div class="watch-caption" role="status" aria-live={p.playing ? "off" : "polite"}>
      <p>{last === null ? t("no_last_move") : t("last_move", { move: didWords(seenDid(last.did, sight), undefined, last.state) })}</p>
      {isAtEnd(p) ? (
        <p class="watch-result">{isStopped ? t("stopped") : resultName(table.result)}</p>
      ) : (
        <p class="quiet">{isWaiting(p) && p.playing ? waits : stateWords(state)}</p>
      )}
      {isAtEnd(p) && !isStopped && table.comment !== "" && <p class="quiet">{t("comment", { text: rulingText(table, language) })}</p>}
    </div>
  );
}

/** The candidate that is drawn: the one pointed at, the one chosen, or the best while nothing moves. */
function drawnCandidate(shown: Shown, wanted: string | null, fallBack: boolean): Candidate | null {
  if ("reason" in shown) return null;
  const { candidates } = shown.thoughts;
  return candidates.find((one) => one.action === wanted) ?? (fallBack ? (candidates[0] ?? null) : null);
}

export function WatchGame(props: WatchGameProps) {
  const t = useText(words);
  const { table } = props;
  const [p, dispatch] = useReducer(playback, null, () =>
    startPlayback(table.steps.length, table.over, props.at ?? 0, props.plays ?? !table.over),
  );
  const [sight, setSight] = useState<Sight>("all");
  const [selected, setSelected] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const [isPlanDrawn, setPlanDrawn] = useState(true);
  const turns = useMemo(() => turnStarts(table), [table.steps]);
  const goTo = useCallback((to: number) => dispatch({ kind: "seek", to }), []);

  useEffect(() => dispatch({ kind: "arrived", count: table.steps.length, over: table.over }), [table.steps.length, table.over]);
  useEffect(() => setSelected(null), [p.shown]);
  usePlaybackClock(p, dispatch);
  usePlaybackKeys(turns, dispatch);

  const state = seenState(stateAt(table, p.shown), sight);
  const { last, next } = stepsAround(table, p.shown);
  const shown = thoughtsAt(table, props.live, next, sight);
  const drawn = drawnCandidate(shown, pointed ?? selected, isPlanDrawn && (!p.playing || isWaiting(p)));
  const steps = useMemo(() => table.steps.map((step) => seenStep(step, sight)), [table.steps, sight]);
  const hasSight = table.sees_all && table.start.game === "geister";
  return (
    <div class="split">
      <div class="stack watch-main">
        <Seats table={table} state={state} />
        <UnsavedNote unsaved={table.unsaved} />
        <div class={isTactical(table.ground.game) ? "watch-board" : "watch-board watch-board-square"}>
          <PositionBoard
            state={state}
            map={table.map}
            last={last === null ? null : seenDid(last.did, sight)}
            line={drawn?.line ?? []}
            from={unseenSide(sight) === 0 ? 1 : 0}
            label={t("board_label", { ply: p.shown, words: stateWords(state) })}
          />
        </div>
        <Caption table={table} p={p} state={state} sight={sight} />
        <Controls p={p} turns={turns} dispatch={dispatch} />
        <Course table={table} sight={sight} shown={p.shown} onGo={goTo} />
      </div>
      <div class="stack watch-side">
        {hasSight && (
          <Panel title={groundName(table.ground)}>
            <SightChoice sight={sight} onChange={setSight} />
          </Panel>
        )}
        <ThoughtsPanel
          table={table}
          shown={shown}
          selected={selected}
          onSelect={(action) => {
            dispatch({ kind: "pause" });
            setSelected(action);
          }}
          onPoint={setPointed}
          isPlanDrawn={isPlanDrawn}
          onDrawPlan={setPlanDrawn}
        />
        <Moves steps={steps} shown={p.shown} onGo={goTo} />
        <SharePanel table={table} place={props.place} shown={p.shown} />
        <ExportPanel table={table} sight={sight} links={props.links} />
      </div>
    </div>
  );
}

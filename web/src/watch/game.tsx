// SPDX-License-Identifier: MIT
//
// A game for spectators: the board at any position, the evaluation there, the history of the game.

import { useCallback, useEffect, useMemo, useReducer, useState } from "preact/hooks";

import type { Candidate, State, LiveGame, Thoughts } from "../api/types";
import { didWords, startingPositionName, isTactical, resultName, seatName, stateWords } from "../app/names";
import { useLanguage, useText } from "../app/text";
import { rulingText } from "../common/errors";
import { Panel, SelectField, UnsavedNote } from "../common/parts";
import { PositionBoard } from "../thoughts/position";
import { Controls, usePlaybackClock, usePlaybackKeys } from "./controls";
import { HistoryChart } from "./history";
import { ExportPanel, type RecordAddress } from "./export";
import { stateAt, stepsAround } from "./follow";
import { Moves } from "./moves";
import { isAtEnd, isWaiting, playback, type Playback, startPlayback } from "./playback";
import { Seats } from "./seats";
import { SharePanel } from "./share";
import { turnStarts } from "./series";
import { seenDid, seenState, seenStep, type SpectatorView, unseenSide } from "./spectator_view";
import { words } from "./text";
import { type Shown, ThoughtsPanel, thoughtsAt } from "./thoughts";

export interface WatchGameProps {
  liveGame: LiveGame;
  live: Thoughts | null; // of the player that is thinking
  at?: number; // the position to begin with
  plays?: boolean; // begin to play at once
  record: RecordAddress;
  place: GamePlace;
}

/** Address of this game: a live game of the server, or a game of a tournament. */
export type GamePlace = { kind: "live"; id: string; key?: string } | { kind: "job"; job: string; game: number };

function ViewChoice(props: { view: SpectatorView; onChange: (view: SpectatorView) => void }) {
  const t = useText(words);
  const options = (["all", "first", "second"] as const).map((value) => ({ value, label: t(`view_${value}`) }));
  return <SelectField label={t("view")} value={props.view} options={options} onChange={props.onChange} />;
}

/** The line below the board: the last move, waiting for the next, or the result. */
function Caption(props: { liveGame: LiveGame; p: Playback; state: State; view: SpectatorView }) {
  const t = useText(words);
  const language = useLanguage();
  const { liveGame, p, state, view } = props;
  const { last } = stepsAround(liveGame, p.shown);
  const thinker = liveGame.thinking === null ? null : liveGame.seats[liveGame.thinking];
  const isStopped = liveGame.result === "none"; // the game is over without a result
  const waits = thinker === null ? t("waiting") : t("waiting_player", { player: seatName(thinker) });
  return (
    <div class="watch-caption" role="status" aria-live={p.playing ? "off" : "polite"}>
      <p>{last === null ? t("no_last_move") : t("last_move", { move: didWords(seenDid(last.did, view), undefined, last.state) })}</p>
      {isAtEnd(p) ? (
        <p class="watch-result">{isStopped ? t("stopped") : resultName(liveGame.result)}</p>
      ) : (
        <p class="quiet">{isWaiting(p) && p.playing ? waits : stateWords(state)}</p>
      )}
      {isAtEnd(p) && !isStopped && liveGame.comment !== "" && <p class="quiet">{t("comment", { text: rulingText(liveGame, language) })}</p>}
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
  const { liveGame } = props;
  const [p, dispatch] = useReducer(playback, null, () =>
    startPlayback(liveGame.steps.length, liveGame.over, props.at ?? 0, props.plays ?? !liveGame.over),
  );
  const [view, setView] = useState<SpectatorView>("all");
  const [selected, setSelected] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const [isPlanDrawn, setPlanDrawn] = useState(true);
  const turns = useMemo(() => turnStarts(liveGame), [liveGame.steps]);
  const goTo = useCallback((to: number) => dispatch({ kind: "seek", to }), []);

  useEffect(() => dispatch({ kind: "arrived", count: liveGame.steps.length, over: liveGame.over }), [liveGame.steps.length, liveGame.over]);
  useEffect(() => setSelected(null), [p.shown]);
  usePlaybackClock(p, dispatch);
  usePlaybackKeys(turns, dispatch);

  const state = seenState(stateAt(liveGame, p.shown), view);
  const { last, next } = stepsAround(liveGame, p.shown);
  const shown = thoughtsAt(liveGame, props.live, next, view);
  const drawn = drawnCandidate(shown, pointed ?? selected, isPlanDrawn && (!p.playing || isWaiting(p)));
  const steps = useMemo(() => liveGame.steps.map((step) => seenStep(step, view)), [liveGame.steps, view]);
  const hasViews = liveGame.sees_all && liveGame.start.game === "geister";
  return (
    <div class="split">
      <div class="stack watch-main">
        <Seats liveGame={liveGame} state={state} />
        <UnsavedNote unsaved={liveGame.unsaved} />
        <div class={isTactical(liveGame.ground.game) ? "watch-board" : "watch-board watch-board-square"}>
          <PositionBoard
            state={state}
            map={liveGame.map}
            last={last === null ? null : seenDid(last.did, view)}
            line={drawn?.line ?? []}
            from={unseenSide(view) === 0 ? 1 : 0}
            label={t("board_label", { ply: p.shown, words: stateWords(state) })}
          />
        </div>
        <Caption liveGame={liveGame} p={p} state={state} view={view} />
        <Controls p={p} turns={turns} dispatch={dispatch} />
        <HistoryChart liveGame={liveGame} view={view} shown={p.shown} onGo={goTo} />
      </div>
      <div class="stack watch-side">
        {hasViews && (
          <Panel title={startingPositionName(liveGame.ground)}>
            <ViewChoice view={view} onChange={setView} />
          </Panel>
        )}
        <ThoughtsPanel
          liveGame={liveGame}
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
        <SharePanel liveGame={liveGame} place={props.place} shown={p.shown} />
        <ExportPanel liveGame={liveGame} view={view} record={props.record} />
      </div>
    </div>
  );
}

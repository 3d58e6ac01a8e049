// SPDX-License-Identifier: MIT
//
// Parts around the board: seats with clocks, status, hints, moves. Each reserves its space, so that the layout does not
// jump.

import { useEffect, useRef, useState } from "preact/hooks";

import type { Side, Step, LiveGame, Thoughts } from "../api/types";
import { clock, didShort, didWords, isTactical, percent, resultName, seatName, short, sideName } from "../app/names";
import { href } from "../app/route";
import { useLanguage, useText } from "../app/text";
import { errorText } from "../common/errors";
import { readSpec } from "../common/spec";
import { Button, Checkbox, Panel, SideMark } from "../common/parts";
import { byTurn, clockLeft, isLow } from "./live_game_logic";
import { words } from "./text";
import type { Hint } from "./use_hint";
import type { Paced } from "./use_pace";
import { isUnsent, type FollowedGame } from "./use_live_game";

/** The name of a player without its options. */
export function whoIs(liveGame: LiveGame, side: Side): string {
  const seat = liveGame.seats[side];
  if (seat.kind === "player") return seat.name === seat.spec ? readSpec(seat.spec).name : seatName(seat);
  return sideName(liveGame.ground.game, side);
}

// ---- seats and clocks ----

function useNow(running: boolean): number {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 100);
    return () => clearInterval(timer);
  }, [running]);
  return running ? Math.max(now, performance.now()) : now;
}

function ClockFace(props: { liveGame: LiveGame; side: Side; receivedAt: number }) {
  const t = useText(words);
  const { clocks, over, result } = props.liveGame;
  const running = clocks.running === props.side && !over;
  const now = useNow(running);
  const left = clockLeft(clocks, props.side, running ? now - props.receivedAt : 0, result);
  if (left === null) return null;
  const isLate = isLow(left) && (running || left === 0); // a stopped clock is not late
  return (
    <span class={`play-clock numbers ${running ? "play-clock-runs" : ""} ${isLate ? "play-clock-low" : ""}`} role="timer" aria-label={t("clock_left")}>
      {clock(left)}
    </span>
  );
}

/** Remaining HP; nothing for other games. */
function hpOf(paced: Paced, side: Side): string {
  return paced.state.game === "tbs" ? `${paced.state.hp[side]} HP` : "";
}

export function SeatRow(props: { liveGame: LiveGame; side: Side; receivedAt: number; paced: Paced }) {
  const t = useText(words);
  const { liveGame, side } = props;
  const seat = liveGame.seats[side];
  const isMe = liveGame.you.length === 1 && liveGame.you[0] === side;
  const moves = props.paced.state.mover === side;
  return (
    <div class={`play-seat ${moves ? "play-seat-moves" : ""}`}>
      <SideMark side={side} plain={!isTactical(liveGame.ground.game)}>
        <strong>{sideName(liveGame.ground.game, side)}</strong>
      </SideMark>
      <span class="play-seat-name clip quiet">{isMe ? t("you") : seatName(seat)}</span>
      <span class="play-seat-hp numbers">{hpOf(props.paced, side)}</span>
      <ClockFace liveGame={liveGame} side={side} receivedAt={props.receivedAt} />
    </div>
  );
}

// ---- status ----

function useStatus(live: FollowedGame, paced: Paced, left: number, acting: boolean): string {
  const t = useText(words);
  const liveGame = live.liveGame as LiveGame;
  if (liveGame.over && !paced.behind) return resultName(liveGame.result);
  const mover = paced.state.mover;
  if (mover === null) return "";
  const name = whoIs(liveGame, mover);
  if (!liveGame.you.includes(mover)) {
    if (liveGame.seats[mover].kind === "human") return liveGame.you.length === 0 ? t("just_looking") : t("waiting_other");
    return paced.behind ? t("watching_moves", { name }) : t("thinking", { name });
  }
  const whose = liveGame.you.length === 2 ? t("turn_of", { name: sideName(liveGame.ground.game, mover) }) : t("turn_yours");
  if (!acting || !isTactical(liveGame.ground.game)) return whose;
  return t("turn_and_units", { whose, units: left === 1 ? t("last_unit") : t("units_left", { count: left }) });
}

function Limits(props: { paced: Paced }) {
  const t = useText(words);
  const { state } = props.paced;
  if (state.over) return null;
  if (state.game === "tbs") {
    const turn = t("turn_of_limit", { turn: Math.min(state.turn + 1, state.turn_limit), limit: state.turn_limit });
    const rule = t("limit_rule", { threshold: state.threshold });
    return <p class="quiet small numbers">{t("turn_and_rule", { turn, rule })}</p>;
  }
  if (state.game === "geister" && state.phase !== "setup")
    return <p class="quiet small numbers">{t("ply_of_limit", { ply: state.ply, limit: state.plies_max })}</p>;
  return null;
}

export function Banner(props: { live: FollowedGame; paced: Paced; left: number; acting: boolean }) {
  const t = useText(words);
  const at = useLanguage();
  const { live } = props;
  const status = useStatus(live, props.paced, props.left, props.acting);
  const refused = live.refused === null ? null : isUnsent(live.refused) ? t("unsent") : t("refused", { reason: errorText(live.refused, at) });
  return (
    <div class="play-banner stack gap-1" aria-live="polite">
      {live.lost ? <p class="play-lost">{t("lost")}</p> : <p class="play-status">{status}</p>}
      {refused === null ? (
        <Limits paced={props.paced} />
      ) : (
        <p class="play-refused small">
          {refused}{" "}
          <button type="button" class="play-link" onClick={live.forgive}>{t("understood")}</button>
        </p>
      )}
    </div>
  );
}

export function HintNote(props: { hint: Hint; adviser: string }) {
  const t = useText(words);
  const at = useLanguage();
  const player = readSpec(props.adviser).name;
  const { state, best, chosen, error } = props.hint;
  const statusText = (): string => {
    if (state === "failed") return t("hint_failed", { reason: errorText(error, at) });
    if (best !== null) return best.did.kind === "pass" ? t("hint_pass", { player }) : t("hint_says", { player, move: didWords(best.did) });
    return state === "ready" && chosen !== null ? t("hint_says", { player, move: chosen }) : t("hint_thinking", { player });
  };
  return (
    <div class="play-hint" aria-live="polite">
      {state !== "off" && <p>{statusText()}</p>}
      {best !== null && best.chance !== null && <p class="quiet small numbers">{t("hint_chance", { chance: percent(best.chance, 0) })}</p>}
    </div>
  );
}

export function OfferNote(props: { liveGame: LiveGame; onAnswer: (accept: boolean) => void }) {
  const t = useText(words);
  const { offer, you } = props.liveGame;
  if (offer === null) return null;
  const other: Side = offer === 0 ? 1 : 0;
  if (!you.includes(other)) return <p class="note">{t("offer_mine")}</p>;
  return (
    <div class="note" role="alert">
      <p>{t("offer_theirs")}</p>
      <div class="row">
        <Button kind="main" onClick={() => props.onAnswer(true)}>{t("accept")}</Button>
        <Button onClick={() => props.onAnswer(false)}>{t("decline")}</Button>
      </div>
    </div>
  );
}

/** The invitation link, until it is used. */
export function Invite(props: { liveGame: LiveGame; invite: string }) {
  const t = useText(words);
  const [copied, setCopied] = useState(false);
  const { liveGame } = props;
  const theirs: Side = liveGame.you[0] === 0 ? 1 : 0;
  const link = `${location.origin}${location.pathname}${href("play", [liveGame.id], { key: props.invite })}`;
  const copy = (): void => void navigator.clipboard?.writeText(link).then(() => setCopied(true), () => {});
  if (liveGame.steps.some((step) => step.side === theirs)) return null;
  return (
    <Panel title={t("invite_title")}>
      <p>{t("invite_text", { side: sideName(liveGame.ground.game, theirs) })}</p>
      <input readOnly value={link} aria-label={t("invite_title")} onFocus={(event) => event.currentTarget.select()} />
      <Button onClick={copy}>{copied ? t("invite_copied") : t("invite_copy")}</Button>
    </Panel>
  );
}

// ---- moves and evaluations ----

export function MoveList(props: { steps: Step[] }) {
  const t = useText(words);
  const at = useLanguage();
  const box = useRef<HTMLOListElement>(null);
  const rows = byTurn(props.steps);
  useEffect(() => {
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [props.steps.length]);
  return (
    <Panel title={t("moves")}>
      <ol class="play-moves stack gap-1 list small" ref={box} tabIndex={0} aria-label={t("moves")}>
        {rows.length === 0 && <li class="play-no-moves quiet">{t("no_moves")}</li>}
        {rows.map((row) => (
          <li key={row.steps[0]?.ply}>
            <SideMark side={row.side} plain={!["tbs", "pass", "resign"].includes(row.steps[0]?.did.kind ?? "")} />
            <ul>
              {row.steps.map((step) => (
                <li key={step.ply}>{didWords(step.did, at, step.state)}</li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function ThoughtsTable(props: { thoughts: Thoughts }) {
  return (
    <table class="small numbers">
      <tbody>
        {props.thoughts.candidates.slice(0, 5).map((candidate) => (
          <tr key={candidate.action}>
            <td>{didShort(candidate.did)}</td>
            <td class="right">{candidate.chance === null ? candidate.value.toFixed(2) : percent(candidate.chance, 0)}</td>
            <td class="right quiet">{short(candidate.visits)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function ThoughtsNote(props: { liveGame: LiveGame; thoughts: Thoughts | null; on: boolean; onChange: (on: boolean) => void }) {
  const t = useText(words);
  if (props.liveGame.seats.every((seat) => seat.kind === "human")) return null;
  const none = <p class="quiet small">{t("thoughts_none")}</p>;
  return (
    <div class="play-thoughts">
      <Checkbox label={t("thoughts_show")} checked={props.on} onChange={props.onChange} />
      {props.on && (props.thoughts === null ? none : <ThoughtsTable thoughts={props.thoughts} />)}
    </div>
  );
}

// SPDX-License-Identifier: MIT
//
// A player's candidates as a table: value, visits, and main line of each.

import { useState } from "preact/hooks";

import type { Candidate, Thoughts } from "../api/types";
import { didShort, didWords, duration, number, percent, short } from "../app/names";
import { useText } from "../app/text";
import { Button, SideMark } from "../common/parts";
import type { LineAction } from "./arrows";
import "./style.css";
import { words } from "./text";

const shortList = 6;

export interface CandidatesProps {
  thoughts: Thoughts;
  label?: string; // of the table, for screen readers
  selected: string | null; // the action whose line is shown
  onSelect: (action: string | null) => void; // selected by a click
  onPoint?: (action: string | null) => void; // under the pointer
  chosen?: string | null; // what was played
}

/** A win probability as a bar with a number; other values only as a number; nothing for untried candidates. */
function Worth(props: { candidate: Candidate; isUnseen: boolean }) {
  const t = useText(words);
  if (props.isUnseen) return <span class="quiet">{t("unseen")}</span>;
  const { chance, value, at_most } = props.candidate;
  const limit = at_most ? `${t("at_most")} ` : "";
  if (chance === null) return <span class="thoughts-number numbers">{limit + number(value, 2)}</span>;
  return (
    <span class="thoughts-worth">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="thoughts-track" width="100" height="10" />
        <rect class="thoughts-bar" width={100 * Math.min(1, Math.max(0, chance))} height="10" />
      </svg>
      <span class="thoughts-number numbers">{limit + percent(chance)}</span>
    </span>
  );
}

function Row(props: { of: CandidatesProps; candidate: Candidate; rank: number }) {
  const t = useText(words);
  const { selected, onSelect, onPoint, chosen } = props.of;
  const { action, did, visits, line } = props.candidate;
  const isSelected = action === selected;
  return (
    <>
      <tr
        class={isSelected ? "thoughts-row thoughts-selected" : "thoughts-row"}
        onPointerEnter={() => onPoint?.(action)}
        onPointerLeave={() => onPoint?.(null)}
      >
        <td class="thoughts-rank quiet">{props.rank}</td>
        <td>
          <button
            type="button"
            class="thoughts-move"
            aria-pressed={isSelected}
            aria-label={t("show_line", { move: didWords(did) })}
            title={didWords(did)}
            onFocus={() => onPoint?.(action)}
            onBlur={() => onPoint?.(null)}
            onClick={() => onSelect(isSelected ? null : action)}
          >
            {didShort(did)}
          </button>
          {action === chosen && <span class="thoughts-chosen">{t("chosen")}</span>}
        </td>
        <td>
          <Worth candidate={props.candidate} isUnseen={visits === 0 && props.of.thoughts.candidates.some((one) => one.visits > 0)} />
        </td>
        <td class="right thoughts-number numbers">{short(visits)}</td>
      </tr>
      {isSelected && line.length > 1 && (
        <tr class="thoughts-line-row">
          <td />
          <td colSpan={3}>
            <Line line={line} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The main line as text, numbered like the arrows on the board. */
export function Line(props: { line: LineAction[] }) {
  const t = useText(words);
  return (
    <ol class="thoughts-line small" aria-label={t("line")}>
      {props.line.map(({ action, did }, index) => (
        <li key={`${index}${action}`} title={didWords(did)}>
          <SideMark side={did.side}>{didShort(did)}</SideMark>
        </li>
      ))}
    </ol>
  );
}

/** The search effort, as far as the player reports it. */
export function Work(props: { thoughts: Thoughts }) {
  const t = useText(words);
  const { simulations, nodes, depth, seconds } = props.thoughts;
  const parts = [
    ...(simulations > 0 ? [t("simulations", { count: short(simulations) })] : []),
    ...(nodes > 0 ? [t("nodes", { count: short(nodes) })] : []),
    ...(depth > 0 ? [t("depth", { depth })] : []),
    ...(seconds >= 0.05 ? [duration(seconds)] : []),
  ];
  return <p class="small quiet numbers">{parts.join(" · ")}</p>;
}

export function Candidates(props: CandidatesProps) {
  const t = useText(words);
  const [isLong, setLong] = useState(false);
  const { candidates } = props.thoughts;
  if (candidates.length === 0) return <p class="quiet">{t("no_candidates")}</p>;
  const shown = isLong ? candidates : candidates.slice(0, shortList);
  const isChance = candidates[0]?.chance !== null;
  return (
    <div class="thoughts-candidates stack gap-1">
      <table class="thoughts-table small" aria-label={props.label ?? t("candidates")}>
        <thead>
          <tr>
            <th scope="col">{t("rank")}</th>
            <th scope="col">{t("move")}</th>
            <th scope="col">{t(isChance ? "chance" : "value")}</th>
            <th scope="col" class="right">{t("visits")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((candidate, index) => (
            <Row key={candidate.action} of={props} candidate={candidate} rank={index + 1} />
          ))}
        </tbody>
      </table>
      {candidates.length > shortList && (
        <Button kind="quiet" onClick={() => setLong(!isLong)}>
          {isLong ? t("fewer") : t("more", { count: candidates.length })}
        </Button>
      )}
    </div>
  );
}

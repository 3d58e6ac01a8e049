// SPDX-License-Identifier: MIT
//
// The tables of a tournament: standings, cross-table, maps, highlights.

import type { EventResult, Score, Standing } from "../api/types";
import { number, percent, signed } from "../app/format";
import { faultName } from "../app/names";
import { href } from "../app/route";
import { useLanguage, useText } from "../app/text";
import { ShareBar } from "../common/parts";
import type { Pair } from "./games";
import { crossTable, type CrossCell, highlightJa, shade } from "./report";
import { words } from "./text";

function shareOf(score: Score) {
  return { value: score.score ?? 0.5, low: score.interval[0], high: score.interval[1], games: score.games };
}

function faultsOf(standing: Standing): string {
  return Object.entries(standing.faults)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${faultName(name)} ${count}`)
    .join(", ");
}

/** A score with its interval, in one line of a table. */
function ScoreBar(props: { score: Score }) {
  const t = useText(words);
  const { score, interval } = props.score;
  if (score === null) return <span class="quiet">–</span>;
  const told = t("interval", { low: percent(interval[0]), high: percent(interval[1]) });
  return (
    <span class="tournaments-scorebar" title={told}>
      <span class="numbers">{percent(score)}</span>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={told}>
        <rect class="share-track" width="100" height="8" />
        <rect class="share-interval" x={100 * interval[0]} width={Math.max(0.5, 100 * (interval[1] - interval[0]))} height="8" />
        <line class="share-point" x1={100 * score} x2={100 * score} y1="0" y2="8" />
      </svg>
    </span>
  );
}

function StandingLine(props: { standing: Standing; rated: boolean; faulty: boolean }) {
  const t = useText(words);
  const { standing } = props;
  return (
    <tr>
      <td class="numbers">{standing.place}</td>
      <th scope="row">
        <span class="tournaments-name" title={standing.player}>
          {standing.player}
        </span>
        {standing.disqualified && <span class="small quiet"> ({t("disqualified")})</span>}
      </th>
      <td class="numbers right">{number(standing.points, standing.points % 1 === 0 ? 0 : 1)}</td>
      <td class="numbers tournaments-tight">
        {standing.wins} – {standing.draws} – {standing.losses}
      </td>
      <td class="tournaments-share">
        <ScoreBar score={standing} />
      </td>
      {props.rated && (
        <td class="numbers right tournaments-tight">
          {standing.elo === null ? "–" : `${signed(standing.elo)} ± ${number(standing.elo_error ?? 0)}`}
        </td>
      )}
      <td class="numbers right tournaments-detail">{standing.as_first.score === null ? "–" : percent(standing.as_first.score)}</td>
      <td class="numbers right tournaments-detail">{standing.as_second.score === null ? "–" : percent(standing.as_second.score)}</td>
      {props.faulty && <td class="tournaments-detail">{faultsOf(standing)}</td>}
    </tr>
  );
}

export function Standings(props: { report: EventResult; rated: boolean }) {
  const t = useText(words);
  const faulty = props.report.standings.some((one) => faultsOf(one) !== ""); // otherwise the column would be empty
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={t("standings")}>
      <table class="tournaments-standings">
        <thead>
          <tr>
            <th scope="col">{t("place")}</th>
            <th scope="col">{t("player")}</th>
            <th scope="col" class="right">
              {t("points")}
            </th>
            <th scope="col" title={t("wdl_help")}>
              {t("wdl")}
            </th>
            <th scope="col">{t("score")}</th>
            {props.rated && (
              <th scope="col" class="right">
                {t("elo")}
              </th>
            )}
            <th scope="col" class="right tournaments-detail">
              {t("as_first")}
            </th>
            <th scope="col" class="right tournaments-detail">
              {t("as_second")}
            </th>
            {faulty && (
              <th scope="col" class="tournaments-detail">
                {t("faults")}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {props.report.standings.map((one) => (
            <StandingLine key={one.player} standing={one} rated={props.rated} faulty={faulty} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cross(props: { cell: CrossCell; row: string; column: string; onChoose: (pair: Pair) => void }) {
  const t = useText(words);
  const { cell, row, column } = props;
  if (row === column) return <td class="tournaments-self" />;
  if (cell === null)
    return (
      <td class="quiet">
        <span class="visually-hidden">{t("not_met")}</span>–
      </td>
    );
  const told = t("cross_cell", {
    row,
    column,
    score: percent(cell.score),
    low: percent(cell.interval[0]),
    high: percent(cell.interval[1]),
    games: number(cell.games),
  });
  return (
    <td class={`tournaments-cell tournaments-shade-${shade(cell.score)}`}>
      <button type="button" title={told} aria-label={told} onClick={() => props.onChoose([row, column])}>
        <span class="numbers">{number(cell.score * 100, 0)}</span>
        <span class="numbers tournaments-interval">
          {number(cell.interval[0] * 100, 0)}–{number(cell.interval[1] * 100, 0)}
        </span>
      </button>
    </td>
  );
}

export function CrossTable(props: { report: EventResult; onChoose: (pair: Pair) => void }) {
  const t = useText(words);
  const { standings } = props.report;
  const cells = crossTable(props.report);
  return (
    <>
      <p class="small quiet">{t("cross_about")}</p>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={t("cross")}>
        <table class="tournaments-cross">
          <thead>
            <tr>
              <td />
              {standings.map((one, at) => (
                <th key={one.player} scope="col" title={one.player}>
                  <span class="visually-hidden">{one.player}</span>
                  <span aria-hidden="true">{at + 1}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {standings.map((row, y) => (
              <tr key={row.player}>
                <th scope="row">
                  <span class="tournaments-name" title={row.player}>
                    {y + 1}. {row.player}
                  </span>
                </th>
                {standings.map((column, x) => (
                  <Cross key={column.player} cell={cells[y]?.[x] ?? null} row={row.player} column={column.player} onChoose={props.onChoose} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

export function Maps(props: { report: EventResult }) {
  const t = useText(words);
  return (
    <>
      <p class="small quiet">{t("maps_about")}</p>
      <div class="stack">
        {props.report.maps.map((row) => (
          <ShareBar key={row.map} label={row.map} share={shareOf(row.first_side)} />
        ))}
      </div>
    </>
  );
}

export function Highlights(props: { report: EventResult; job: string }) {
  const at = useLanguage();
  return (
    <ul class="tournaments-highlights">
      {props.report.highlights.map((one) => (
        <li key={`${one.kind}${one.game}`}>
          <a href={href("watch", ["job", props.job, one.game])}>{(at === "ja" ? highlightJa(one.text) : null) ?? one.text}</a>
        </li>
      ))}
    </ul>
  );
}

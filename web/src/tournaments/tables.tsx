// SPDX-License-Identifier: MIT
//
// The tables of a tournament: standings, cross-table, maps, highlights.

import type { ComponentChildren } from "preact";

import type { ColumnInfo, TournamentResult, Score, Standing } from "../api/types";
import { number, percent, signed } from "../app/format";
import { faultName } from "../app/names";
import { href } from "../app/route";
import { useLanguage, useText, type Say } from "../app/text";
import { ShareBar } from "../common/parts";
import type { Pair } from "./games";
import { crossTable, type CrossCell, highlightText, shade } from "./report";
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
  const description = t("interval", { low: percent(interval[0]), high: percent(interval[1]) });
  return (
    <span class="tournaments-scorebar" title={description}>
      <span class="numbers">{percent(score)}</span>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={description}>
        <rect class="share-track" width="100" height="8" />
        <rect class="share-interval" x={100 * interval[0]} width={Math.max(0.5, 100 * (interval[1] - interval[0]))} height="8" />
        <line class="share-point" x1={100 * score} x2={100 * score} y1="0" y2="8" />
      </svg>
    </span>
  );
}

/** Cells that are more than their value; a column that is not here shows its value by its format. */
const cells: Record<string, (one: Standing, t: Say<keyof typeof words>) => ComponentChildren> = {
  place: (one) => one.place,
  player: (one, t) => (
    <>
      <span class="tournaments-name clip" title={one.player}>
        {one.player}
        {{ main: "", "play-off": " *", final: " †" }[one.decided_by]}
      </span>
      {one.author !== undefined && <span class="small quiet"> {one.author}</span>}
      {one.disqualified && <span class="small quiet"> ({t("disqualified")})</span>}
    </>
  ),
  wins: (one) => `${one.wins} – ${one.draws} – ${one.losses}`,
  score: (one) => <ScoreBar score={one} />,
  elo: (one) => (one.elo === null ? "–" : `${signed(one.elo)} ± ${number(one.elo_error ?? 0)}`),
  as_first: (one) => (one.as_first.score === null ? "–" : percent(one.as_first.score)),
  as_second: (one) => (one.as_second.score === null ? "–" : percent(one.as_second.score)),
  payoff: (one) => (one.payoff == null ? "–" : number(one.payoff.mean, 3)),
  faults: (one) => faultsOf(one),
};

const merged = ["draws", "losses", "elo_error"]; // parts of other columns' cells
const details = ["games", "as_first", "as_second", "faults", "walkovers"]; // left out where there is little space
const left = ["place", "player", "wins", "score", "faults"];

/** A value by its column's format; "tie_NAME" is in the object "tie_breaks". */
export function valueOf(one: Standing, column: ColumnInfo): string {
  const value = (one as unknown as Record<string, unknown>)[column.name] ?? one.tie_breaks[column.name.replace("tie_", "")];
  if (typeof value !== "number") return value == null ? "–" : String(value);
  if (column.format === "share") return percent(value);
  if (column.format === "signed") return signed(value);
  return number(value, value % 1 === 0 ? 0 : column.format === "fixed" ? 3 : 1);
}

function classOf(name: string): string {
  const tight = name === "wins" || name === "elo" ? "tournaments-tight" : "";
  return `${name === "score" ? "tournaments-share" : "numbers"} ${left.includes(name) ? "" : "right"} ${tight} ${details.includes(name) ? "tournaments-detail" : ""}`;
}

/** The columns are the program's (src/tournament/report.c); the dictionary has their titles. */
export function Standings(props: { report: TournamentResult; columns?: ColumnInfo[]; rated: boolean }) {
  const t = useText(words);
  const all = props.columns ?? props.report.columns ?? [];
  const columns = all.filter(({ name }) => !merged.includes(name) && (props.rated || name !== "elo"));
  const heading = ({ name, title }: ColumnInfo) => (name in words ? t(name as keyof typeof words) : title);
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={t("standings")}>
      <table class="tournaments-standings">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={classOf(column.name)} title={column.name === "wins" ? t("wdl_help") : undefined}>
                {heading(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.report.standings.map((one) => (
            <tr key={one.player}>
              {columns.map((column) => {
                const content = cells[column.name]?.(one, t) ?? valueOf(one, column);
                return column.name === "player" ? <th key="player" scope="row">{content}</th> : <td key={column.name} class={classOf(column.name)}>{content}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cross(props: { cell: CrossCell; row: string; column: string; onChoose?: ((pair: Pair) => void) | undefined }) {
  const t = useText(words);
  const { cell, row, column } = props;
  if (row === column) return <td class="tournaments-self" />;
  if (cell === null)
    return (
      <td class="quiet">
        <span class="visually-hidden">{t("not_met")}</span>–
      </td>
    );
  const description = t("cross_cell", {
    row,
    column,
    score: percent(cell.score),
    low: percent(cell.interval[0]),
    high: percent(cell.interval[1]),
    games: number(cell.games),
  });
  const { onChoose } = props;
  if (onChoose === undefined)
    return (
      <td class={`numbers tournaments-shade-${shade(cell.score)}`} title={description}>
        {number(cell.points, cell.points % 1 === 0 ? 0 : 1)}
        <span class="tournaments-interval tournaments-counts">{cell.wins}/{cell.draws}/{cell.losses}</span>
      </td>
    );
  return (
    <td class={`tournaments-cell tournaments-shade-${shade(cell.score)}`}>
      <button type="button" title={description} aria-label={description} onClick={() => onChoose([row, column])}>
        <span class="numbers">{number(cell.score * 100, 0)}</span>
        <span class="numbers tournaments-interval">
          {number(cell.interval[0] * 100, 0)}–{number(cell.interval[1] * 100, 0)}
        </span>
      </button>
    </td>
  );
}

/** Without `onChoose`: points and counts of games, for a page without the games themselves. */
export function CrossTable(props: { report: TournamentResult; onChoose?: (pair: Pair) => void }) {
  const t = useText(words);
  const { standings } = props.report;
  const cells = crossTable(props.report);
  return (
    <>
      <p class="small quiet">{t(props.onChoose === undefined ? "cross_points" : "cross_about")}</p>
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
                  <span class="tournaments-name clip" title={row.player}>{y + 1}. {row.player}</span>
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

export function Maps(props: { report: TournamentResult }) {
  const t = useText(words);
  return (
    <>
      <p class="small quiet">{t("maps_about")}</p>
      <div class="stack">
        {props.report.maps.map((row) => (
          <ShareBar key={row.map} label={row.author === undefined ? row.map : t("by", { map: row.map, author: row.author })} share={shareOf(row.first_side)} />
        ))}
      </div>
    </>
  );
}

/** Without `job` there are no games to watch. */
export function Highlights(props: { report: TournamentResult; job?: string }) {
  const at = useLanguage();
  const t = useText(words);
  return (
    <ul class="tournaments-highlights">
      {props.report.highlights.map((one) => (
        <li key={`${one.kind}${one.game}`}>
          {props.job === undefined ? (
            <>
              {highlightText(one, at)} <span class="small quiet">{t("game_number", { number: one.game })}</span>
            </>
          ) : (
            <a href={href("watch", ["job", props.job, one.game])}>{highlightText(one, at)}</a>
          )}
        </li>
      ))}
    </ul>
  );
}

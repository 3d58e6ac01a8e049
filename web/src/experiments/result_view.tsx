// SPDX-License-Identifier: MIT
//
// Published values next to ours, the paper's conclusions, and files.

import type { Finding, Job, ReproResult, ReproRow, ReproTicks, VerdictKind } from "../api/types";
import { duration, number } from "../app/format";
import { useLanguage, useText } from "../app/text";
import { Plots, Positions } from "./plots";
import { figure, filePath, isClaim, judgementOf, kindOf, rowPicture, verdictOf } from "./result";
import { findingText, labelText, scaleText, summaryText, unitText, verdictText, type Scaled } from "./result_text";
import { words } from "./text";

function RowBar(props: { row: ReproRow }) {
  const t = useText(words);
  const { row } = props;
  const at = rowPicture(row);
  if (at === null) return <span class="quiet small">{t("no_interval")}</span>;
  const values = {
    ours: figure(row.ours, row.unit),
    low: figure(row.low, row.unit),
    high: figure(row.high, row.unit),
    published: figure(row.published, row.unit),
  };
  return (
    <svg class="experiments-bar" role="img" aria-label={t(row.published === null ? "picture_alone" : "picture", values)}>
      <rect class="experiments-track" width="100%" height="100%" />
      <rect class="experiments-interval" x={`${at.low}%`} width={`${Math.max(0.5, at.high - at.low)}%`} y="25%" height="50%" />
      <line class="experiments-ours" x1={`${at.ours}%`} x2={`${at.ours}%`} y1="0" y2="100%" />
      {at.published !== null && (
        <svg x={`${at.published}%`} y="50%" overflow="visible">
          <path class="experiments-published" d="M0 -6L4 0L0 6L-4 0Z" />
        </svg>
      )}
    </svg>
  );
}

/** A number with its unit; null: none. */
export function Value(props: { value: number | null; unit: string }) {
  const unit = unitText(props.unit, useLanguage());
  return <>{props.value === null ? "–" : `${figure(props.value, props.unit)}${unit === "" ? "" : `\u202f${unit}`}`}</>;
}

/** A published figure with the paper's own margin, or with the trials behind it. */
export function Published(props: { row: ReproRow }) {
  const t = useText(words);
  const { published, published_margin, published_trials, unit } = props.row;
  return (
    <>
      <Value value={published} unit={unit} />
      {published_margin !== undefined && ` ± ${figure(published_margin, unit)}`}
      {published !== null && published_trials !== undefined && <span class="quiet small"> {t("trials_of", { trials: number(published_trials) })}</span>}
    </>
  );
}

/** A verdict with its sign, in its colour. */
export function Verdict(props: { kind: VerdictKind; text: string }) {
  const { judgement, sign } = judgementOf(props.kind);
  return <span class={`experiments-${judgement}`}>{sign === "" ? props.text : `${sign} ${props.text}`}</span>;
}

function RowLine(props: { row: ReproRow }) {
  const language = useLanguage();
  const { row } = props;
  return (
    <tr>
      <th scope="row">{labelText(row, language)}</th>
      <td class="numbers"><Published row={row} /></td>
      <td class="numbers"><Value value={row.ours} unit={row.unit} /></td>
      <td class="numbers experiments-tight">
        {row.low === null || row.high === null ? "–" : `${figure(row.low, row.unit)} – ${figure(row.high, row.unit)}`}
      </td>
      <td class="experiments-bar-cell">
        <RowBar row={row} />
      </td>
      <td class="numbers">{number(row.trials)}</td>
      <td class="experiments-verdict">
        <Verdict kind={kindOf(row)} text={verdictText(row, language)} />
      </td>
    </tr>
  );
}

/** Figures; statements without one are ticks (below). */
export function Rows(props: { rows: ReproRow[]; result: Scaled }) {
  const t = useText(words);
  const scale = scaleText(props.result, useLanguage());
  const rows = props.rows.filter((row) => !isClaim(row));
  if (rows.length === 0) return null;
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={t("ours")}>
      <table class="experiments-table">
        {scale !== "" && <caption class="small quiet">{scale}</caption>}
        <thead>
          <tr>
            <th scope="col">{t("row")}</th>
            <th scope="col">{t("published")}</th>
            <th scope="col">{t("ours")}</th>
            <th scope="col" colSpan={2}>{t("interval")}</th>
            <th scope="col">{t("trials")}</th>
            <th scope="col">{t("verdict")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <RowLine key={at} row={row} />
          ))}
        </tbody>
      </table>
      <p class="small quiet">{t("legend")}</p>
    </div>
  );
}

export function Tick(props: { yes: boolean }) {
  const t = useText(words);
  return (
    <span class={props.yes ? "experiments-good" : "experiments-bad"} role="img" aria-label={t(props.yes ? "yes" : "no")}>
      {props.yes ? "✓" : "✗"}
    </span>
  );
}

/** Share 0 or 1 of an answer without chance is a tick. */
function TickTable(props: { ticks: ReproTicks }) {
  const language = useLanguage();
  return (
    <table class="experiments-ticks">
      <thead>
        <tr>
          <td />
          {props.ticks.columns.map((column) => (
            <th key={column.label} scope="col">{labelText(column, language)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.ticks.rows.map((row) => (
          <tr key={row.label}>
            <th scope="row">{labelText(row, language)}</th>
            {row.answers.map(({ share, exact }, at) => (
              <td key={at}>{exact ? <Tick yes={share > 0.5} /> : `${figure(100 * share, "%")}\u202f%`}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Answers without chance: the experiment's table, and statements of the paper that hold or not. */
export function Ticks(props: { rows: ReproRow[]; ticks: ReproTicks | undefined }) {
  const t = useText(words);
  const language = useLanguage();
  const claims = props.rows.filter(isClaim);
  if (claims.length === 0 && props.ticks === undefined) return null;
  return (
    <section>
      <h3>{t("ticks")}</h3>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={t("ticks")}>
        {props.ticks !== undefined && <TickTable ticks={props.ticks} />}
        {claims.length > 0 && (
          <table class="experiments-ticks">
            <thead>
              <tr>
                <th scope="col">{t("statement")}</th>
                <th scope="col">{t("ours")}</th>
              </tr>
            </thead>
            <tbody>
              {claims.map((row) => (
                <tr key={row.label}>
                  <th scope="row">{labelText(row, language)}</th>
                  <td><Tick yes={row.ours === 1} /></td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      <p class="small quiet">{t("ticks_legend")}</p>
    </section>
  );
}

/** The test behind a finding; "" in results of earlier versions. */
export function useTestText(): (finding: Finding) => string {
  const t = useText(words);
  return ({ test, comparisons, margin, p }) => {
    if (test === undefined || comparisons === undefined) return "";
    if (comparisons === 0) return `(${t("no_chance")})`;
    const parts = [t(`test_${test}`, { margin: String(margin ?? 0) })];
    if (comparisons > 1) parts.push(t("comparisons", { count: comparisons }));
    if (p !== undefined) parts.push(p < 0.0005 ? "p < 0.001" : `p = ${p.toFixed(3)}`);
    return `(${parts.join(", ")})`;
  };
}

export function Findings(props: { findings: Finding[] }) {
  const t = useText(words);
  const language = useLanguage();
  const testText = useTestText();
  return (
    <section>
      <h3>{t("findings")}</h3>
      <ul class="experiments-findings list">
        {props.findings.map((finding) => (
          <li key={finding.text}>
            <strong>
              <Verdict kind={verdictOf(finding)} text={t(`kind_${verdictOf(finding)}`)} />
            </strong>{" "}
            {findingText(finding, language)} <span class="quiet small">{testText(finding)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Result(props: { job: Job; outcome: ReproResult }) {
  const t = useText(words);
  const language = useLanguage();
  const { job, outcome } = props;
  return (
    <div class="stack">
      <p>
        <strong>{summaryText(outcome, language)}</strong>{" "}
        <span class="quiet small">
          {t("took", { trials: number(outcome.trials_all), time: duration(outcome.seconds) })} · {t("seed")} {outcome.seed}
        </span>
      </p>
      <Ticks rows={outcome.rows} ticks={outcome.ticks} />
      <Rows rows={outcome.rows} result={outcome} />
      {outcome.findings.length > 0 && <Findings findings={outcome.findings} />}
      {outcome.plots.length > 0 && <Plots job={job} outcome={outcome} />}
      <Positions files={job.files} />
      {job.files.length > 0 && (
        <details>
          <summary>{t("files")}</summary>
          <ul class="small">
            {job.files.map((name) => (
              <li key={name}>
                <a href={filePath(job, name)} download>{name}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

// SPDX-License-Identifier: MIT
//
// Published values next to ours, the paper's conclusions, and files.

import type { Finding, Job, ReproResult, ReproRow } from "../api/types";
import { duration, number } from "../app/format";
import { useLanguage, useText } from "../app/text";
import { Plots, Positions } from "./plots";
import { figure, filePath, judgementOf, rowPicture } from "./result";
import { findingText, labelText, summaryText, unitText, verdictText } from "./result_text";
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

function RowLine(props: { row: ReproRow }) {
  const language = useLanguage();
  const { row } = props;
  const unitWords = unitText(row.unit, language);
  const unit = unitWords === "" ? "" : `\u202f${unitWords}`;
  const margin = row.published_margin === undefined ? "" : ` ± ${figure(row.published_margin, row.unit)}`;
  const judgement = judgementOf(row);
  const sign = { good: "✓ ", bad: "✗ ", plain: "" }[judgement];
  return (
    <tr>
      <th scope="row">{labelText(row, language)}</th>
      <td class="numbers">{row.published === null ? "–" : `${figure(row.published, row.unit)}${margin}${unit}`}</td>
      <td class="numbers">{row.ours === null ? "–" : `${figure(row.ours, row.unit)}${unit}`}</td>
      <td class="numbers experiments-tight">
        {row.low === null || row.high === null ? "–" : `${figure(row.low, row.unit)} – ${figure(row.high, row.unit)}`}
      </td>
      <td class="experiments-bar-cell">
        <RowBar row={row} />
      </td>
      <td class="numbers">{number(row.trials)}</td>
      <td class={`experiments-tight experiments-${judgement}`}>
        {sign}
        {verdictText(row, language)}
      </td>
    </tr>
  );
}

export function Rows(props: { rows: ReproRow[] }) {
  const t = useText(words);
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={t("ours")}>
      <table class="experiments-table">
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
          {props.rows.map((row, at) => (
            <RowLine key={at} row={row} />
          ))}
        </tbody>
      </table>
      <p class="small quiet">{t("legend")}</p>
    </div>
  );
}

export function Findings(props: { findings: Finding[] }) {
  const t = useText(words);
  const language = useLanguage();
  return (
    <section>
      <h3>{t("findings")}</h3>
      <ul class="experiments-findings list">
        {props.findings.map((finding) => (
          <li key={finding.text}>
            <strong class={finding.holds ? "experiments-good" : "experiments-bad"}>
              {finding.holds ? `✓ ${t("holds")}` : `✗ ${t("fails")}`}
            </strong>{" "}
            {findingText(finding, language)}
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
      <Rows rows={outcome.rows} />
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

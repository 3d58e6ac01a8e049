// SPDX-License-Identifier: MIT
//
// Published experiments, run again: every result of a folder.

import type { Finding, ReproResult, ReproRow, VerdictKind } from "../api/types";
import { dateWords, duration, number } from "../app/format";
import { helpOf } from "../app/help";
import { experiments as help_ja } from "../app/help_ja/experiments";
import { useLanguage, useText } from "../app/text";
import { address, worded } from "../experiments/picture";
import { countKinds, figure, isClaim, kindOf, verdictKinds, verdictOf } from "../experiments/result";
import { Findings, Published, Rows, Tick, Ticks, useTestText, Value, Verdict } from "../experiments/result_view";
import { drawnText, findingText, heading, labelText, plotText, scaled, scaleText, sourceText, summaryText, verdictText } from "../experiments/result_text";
import "../experiments/style.css";
import { words as experiments } from "../experiments/text";
import { words } from "./text_experiments";

/** A file in the folder may hold less than the program writes. */
type Outcome = Partial<ReproResult> & Pick<ReproResult, "name">;

export interface ExperimentsData {
  date: string;
  experiments: { result: Outcome; pictures: Record<string, string> }[]; // SVG by name
}

function Pictures(props: { result: Outcome; pictures: Record<string, string> }) {
  const t = useText(words);
  const language = useLanguage();
  const { result, pictures } = props;
  const maps = (result.parameters?.maps ?? []).filter((map) => pictures[`map-${map}`] !== undefined);
  return (
    <>
      <div class="experiments-plots">
        {(result.plots ?? []).map((plot) => {
          const { name } = plot;
          const svg = pictures[name];
          if (svg === undefined)
            return <p key={name} class="quiet">{t("no_picture", { name })}</p>;
          const description = scaled(plotText(plot, language), result, language);
          return (
            <figure key={name}>
              <div class="experiments-plot scroll-x">
                <img src={address(worded(svg, (text) => drawnText(text, plot, result, language)))} alt={description} width="860" height="500" />
              </div>
              <figcaption class="small quiet">{description}</figcaption>
            </figure>
          );
        })}
      </div>
      {maps.length > 0 && (
        <ul class="experiments-positions grid list">
          {maps.map((map) => (
            <li key={map}>
              <img src={address(pictures[`map-${map}`] ?? "")} alt={map} />
              <span class="small">{map}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Parameters(props: { result: Outcome }) {
  const t = useText(words);
  const language = useLanguage();
  const { result } = props;
  return (
    <details>
      <summary>{t("parameters")}</summary>
      <div class="scroll-x">
        <table class="small">
          <tbody>
            {(result.parameters?.cells ?? []).map(({ players, game, map, ...cell }) => (
              <tr key={cell.label}>
                <th scope="row">{labelText(cell, language)}</th>
                <td>
                  <code>{(players ?? []).join(" – ")}</code>
                </td>
                <td>{game ?? map ?? ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="small quiet">
        {t("settings", { rules: result.parameters?.rules ?? "–", trials: number(result.trials ?? 0), file: `${result.name}-trials.csv` })}
      </p>
    </details>
  );
}

function Experiment(props: { result: Outcome; pictures: Record<string, string> }) {
  const t = useText(words);
  const x = useText(experiments);
  const language = useLanguage();
  const { result, pictures } = props;
  const help = (english: string, part: string) => (language === "ja" ? helpOf(help_ja, "experiments", result.name, part) : undefined) ?? english;
  return (
    <section id={result.name} class="panel stack">
      <h2>{heading(scaled(help(result.title ?? "", "title"), result, language))} <code class="experiments-code quiet">{result.name}</code></h2>
      <p class="small quiet">{sourceText(result, language)} · {x("published")}: {help(result.published ?? "", "published")}</p>
      <p>
        <strong>{summaryText({ ...result, summary: result.summary ?? "" }, language)}</strong>{" "}
        <span class="quiet small">
          {x("took", { trials: number(result.trials_all ?? 0), time: duration(result.seconds ?? 0) })} · {x("seed")} {String(result.seed ?? "")}
        </span>
      </p>
      {result.findings !== undefined && result.findings.length > 0 && <Findings findings={result.findings} />}
      <Ticks rows={result.rows ?? []} ticks={result.ticks} />
      <Rows rows={result.rows ?? []} result={result} />
      <Pictures result={result} pictures={pictures} />
      <Parameters result={result} />
      <a class="small no-print" href="#top">{t("top")}</a>
    </section>
  );
}

/** A line of the overview: a published figure or statement, or a conclusion. */
type Line = { kind: VerdictKind } & ({ row: ReproRow } | { finding: Finding });

/** Rows without a published figure are no statements of a paper. */
function linesOf(result: Outcome): Line[] {
  const rows = (result.rows ?? []).filter((row) => row.published !== null || isClaim(row));
  return [...(result.findings ?? []).map((finding) => ({ kind: verdictOf(finding), finding })), ...rows.map((row) => ({ kind: kindOf(row), row }))];
}

function StatementCells(props: { line: Line }) {
  const t = useText(words);
  const x = useText(experiments);
  const language = useLanguage();
  const testText = useTestText();
  const { line } = props;
  if ("finding" in line)
    return (
      <>
        <th scope="row">{findingText(line.finding, language)}</th>
        <td>{t("stated")}</td>
        <td class="small">{testText(line.finding)}</td>
        <td class="experiments-verdict"><Verdict kind={line.kind} text={x(`kind_${line.kind}`)} /></td>
      </>
    );
  const { row } = line;
  const interval = row.low === null || row.high === null ? "" : ` (${figure(row.low, row.unit)} – ${figure(row.high, row.unit)})`;
  return (
    <>
      <th scope="row">{labelText(row, language)}</th>
      <td>{row.published === null ? t("stated") : <Published row={row} />}</td>
      <td>{isClaim(row) ? <Tick yes={row.ours === 1} /> : <Value value={row.ours} unit={row.unit} />}{interval}</td>
      <td class="experiments-verdict"><Verdict kind={line.kind} text={verdictText(row, language)} /></td>
    </>
  );
}

/** All statements of all papers, before everything else. */
function Overview(props: { results: Outcome[] }) {
  const t = useText(words);
  const x = useText(experiments);
  const language = useLanguage();
  const parts = props.results.map((result) => ({ result, lines: linesOf(result) })).filter(({ lines }) => lines.length > 0);
  const counts = countKinds(parts.flatMap(({ lines }) => lines.map(({ kind }) => kind)));
  return (
    <section class="panel stack">
      <h2>{t("overview")}</h2>
      <p>{verdictKinds.map((kind) => `${x(`count_${kind}`)} ${counts[kind]}`).join(t("and"))}</p>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={t("overview")}>
        <table class="report-overview small">
          <thead>
            <tr>
              <th scope="col">{t("paper")}</th>
              <th scope="col">{x("statement")}</th>
              <th scope="col">{x("published")}</th>
              <th scope="col">{x("ours")}</th>
              <th scope="col">{x("verdict")}</th>
            </tr>
          </thead>
          {parts.map(({ result, lines }) => (
            <tbody key={result.name}>
              {lines.map((line, at) => (
                <tr key={at}>
                  {at === 0 && (
                    <td rowSpan={lines.length}>
                      <a href={`#${result.name}`}>{result.name}</a>
                      <br />
                      <span class="quiet">{sourceText(result, language)}</span>
                      {scaleText(result, language) !== "" && <strong> {scaleText(result, language)}</strong>}
                    </td>
                  )}
                  <StatementCells line={line} />
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </section>
  );
}

export function Experiments(props: { data: ExperimentsData }) {
  const t = useText(words);
  const { date, experiments: list } = props.data;
  return (
    <>
      <header id="top" class="stack">
        <h1>{t("title")}</h1>
        <p class="quiet"><code>senjutsu repro</code>{date === "" ? "" : ` · ${dateWords(date)}`}</p>
        <p>{t("about")}</p>
      </header>
      <Overview results={list.map(({ result }) => result)} />
      {list.map(({ result, pictures }) => (
        <Experiment key={result.name} result={result} pictures={pictures} />
      ))}
    </>
  );
}

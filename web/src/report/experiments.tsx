// SPDX-License-Identifier: MIT
//
// Published experiments, run again: every result of a folder.

import type { ReproResult } from "../api/types";
import { dateWords, duration, number } from "../app/format";
import { helpOf } from "../app/help";
import { experiments as help_ja } from "../app/help_ja/experiments";
import { useLanguage, useText } from "../app/text";
import { address, worded } from "../experiments/picture";
import { Findings, Rows } from "../experiments/result_view";
import { drawnText, heading, labelText, plotText, sourceText, summaryText } from "../experiments/result_text";
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
          const description = plotText(plot, language);
          return (
            <figure key={name}>
              <div class="experiments-plot scroll-x">
                <img src={address(worded(svg, (text) => drawnText(text, plot, result.rows ?? [], language)))} alt={description} width="860" height="500" />
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
      <h2>{heading(help(result.title ?? "", "title"))} <code class="experiments-code quiet">{result.name}</code></h2>
      <p class="small quiet">{sourceText(result, language)} · {x("published")}: {help(result.published ?? "", "published")}</p>
      <p>
        <strong>{summaryText({ ...result, summary: result.summary ?? "" }, language)}</strong>{" "}
        <span class="quiet small">
          {x("took", { trials: number(result.trials_all ?? 0), time: duration(result.seconds ?? 0) })} · {x("seed")} {String(result.seed ?? "")}
        </span>
      </p>
      {result.findings !== undefined && result.findings.length > 0 && <Findings findings={result.findings} />}
      <Rows rows={result.rows ?? []} />
      <Pictures result={result} pictures={pictures} />
      <Parameters result={result} />
      <a class="small no-print" href="#top">{t("top")}</a>
    </section>
  );
}

export function Experiments(props: { data: ExperimentsData }) {
  const t = useText(words);
  const language = useLanguage();
  const { date, experiments: list } = props.data;
  return (
    <>
      <header id="top" class="stack">
        <h1>{t("title")}</h1>
        <p class="quiet"><code>senjutsu repro</code>{date === "" ? "" : ` · ${dateWords(date)}`}</p>
        <p>{t("about")}</p>
        <ul>
          {list.map(({ result }) => (
            <li key={result.name}>
              <a href={`#${result.name}`}>{result.name}</a>: {summaryText({ ...result, summary: result.summary ?? "" }, language)}
            </li>
          ))}
        </ul>
      </header>
      {list.map(({ result, pictures }) => (
        <Experiment key={result.name} result={result} pictures={pictures} />
      ))}
    </>
  );
}

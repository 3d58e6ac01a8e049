// SPDX-License-Identifier: MIT
//
// The result of an evolution of maps: history, archive, and a card for each map.

import type { EvolvedMap, EvolveResult } from "../api/types";
import { number, percent } from "../app/format";
import { presets } from "../app/help_ja/presets";
import { useLanguage, useText } from "../app/text";
import { Chart } from "../common/chart";
import { MapDrawing } from "../common/mappicture";
import { wordsOf } from "../common/messages";
import { Empty, Panel } from "../common/parts";
import { isFresh, latestGeneration, parentsOf, sharesOf } from "../maps/evolution";
import { Counts, FitnessChart } from "../maps/evolve";
import { FitnessFigures } from "../maps/gallery";
import { Bars, Figures, Remarks, Verdict } from "../maps/judge_view";
import { fairnessOf, type Judgement, type SideFigures, strengthOf } from "../maps/judgement";
import { MapFacts } from "../maps/pieces";
import "../maps/style.css";
import { words as evolving } from "../maps/text_evolve";
import { ancestorsOf, ancestorText, type Origin, shownOf } from "./lineage";
import { words } from "./text_gallery";

export interface GalleryData {
  command: string | null;
  finished: boolean;
  pictures: boolean; // beside the maps
  result: EvolveResult;
  archive: { id: number; place: [number, number]; strength: number; red: number }[] | null; // the best of each cell
  help: Record<string, string>; // of the recipe's parameters
}

function sideOf(raw: EvolvedMap, side: "red" | "blue"): SideFigures {
  const counts = (raw.qualities.from === "fresh" ? raw.fresh : raw.judgement)[`first_kills_${side}`];
  const games = counts.reduce((sum, count) => sum + count, 0);
  const { looks } = raw;
  return {
    firstKills: games === 0 ? null : counts.reduce((sum, count, kills) => sum + count * kills, 0) / games,
    anyFirstKill: games === 0 ? null : 1 - (counts[0] ?? 0) / games,
    firstAttacks: looks.first_attacks[side],
    attackers: looks.attackers[side],
    useless: looks.no_prey[side] + looks.stranded[side],
  };
}

/** What the workbench shows of a fairness test, from the games of the map. */
function judgementOf(one: EvolvedMap, tolerance: number): Judgement {
  const shares = sharesOf(one);
  const { games, turns } = one.qualities;
  return {
    ...shares,
    games,
    turns,
    natural: one.looks.natural,
    remarks: one.remarks,
    sides: [sideOf(one, "red"), sideOf(one, "blue")],
    fairness: fairnessOf(shares.red, tolerance),
    telling: strengthOf(shares.strength),
    tight: true,
  };
}

function Lineage(props: { id: number; origins: Origin[] }) {
  const t = useText(words);
  const at = useLanguage();
  const { generations, count, founders } = ancestorsOf(props.id, props.origins);
  if (count === 0) return null;
  return (
    <details>
      <summary>{t("lineage", { count, generations: generations.length, founders })}</summary>
      <ol class="report-lineage small">
        {shownOf(generations).map((one) =>
          typeof one === "number" ? (
            <li key="hidden" class="report-lineage-hidden">
              … {t("generations_more", { count: one })}
            </li>
          ) : (
            <li key={one.generation} value={one.generation}>
              {one.shown.map((ancestor) => ancestorText(ancestor, (fitness) => number(fitness, fitness > 10 ? 0 : 2), at)).join(", ")}
              {one.more > 0 && ` ${t("more", { count: one.more })}`}
            </li>
          ),
        )}
      </ol>
    </details>
  );
}

function Card(props: { one: EvolvedMap; data: GalleryData }) {
  const t = useText(words);
  const e = useText(evolving);
  const { one } = props;
  const { result } = props.data;
  const judgement = judgementOf(one, Number(result.recipe["fair"] ?? 0.1));
  const title = e("map_number", { id: one.id });
  const name = String(one.id).padStart(4, "0");
  return (
    <article id={`map-${one.id}`} class="panel stack">
      <div class="report-card-head">
        <div class="report-picture">{one.map !== null && <MapDrawing map={one.map} label={title} />}</div>
        <div class="stack">
          <h3>{title}</h3>
          <p class="small quiet">
            {e("born", { generation: one.generation })}: {wordsOf(one.note, one.note_message, evolving, useLanguage())}
            {parentsOf(one) !== "" && ` · ${e("parents", { parents: parentsOf(one) })}`}
            <br />
            {e(isFresh(one) ? "fresh" : "selected", { games: number(one.qualities.games) })}
            <br />
            <a href={`maps/${name}.tbsmap`}>{name}.tbsmap</a>
            {props.data.pictures && (
              <>
                {" "}
                · <a href={`pictures/${name}.svg`}>{name}.svg</a>
              </>
            )}
          </p>
          <FitnessFigures one={one} most={result.fitness_max} />
        </div>
      </div>
      {judgement.games > 0 && <Verdict judgement={judgement} state="done" />}
      <Bars judgement={judgement} />
      <Figures judgement={judgement} />
      <Remarks judgement={judgement} />
      <details>
        <summary>{t("facts")}</summary>
        {one.map !== null && <MapFacts map={one.map} stats={null} />}
      </details>
      <Lineage id={one.id} origins={result.lineage} />
    </article>
  );
}

/** "< 4", "4–6", "≥ 15" */
function binWords(edges: (number | null)[], at: number): string {
  if (at === 0) return `< ${edges[0]}`;
  return at === edges.length ? `≥ ${edges[at - 1]}` : `${edges[at - 1]}–${edges[at]}`;
}

function Archive(props: { data: GalleryData }) {
  const t = useText(words);
  const { result, archive } = props.data;
  const [length, mix] = result.features;
  if (archive === null || length === undefined || mix === undefined) return null;
  const fair = Number(result.recipe["fair"] ?? 0.1);
  const cell = (x: number, y: number) => {
    const best = archive.find(({ place }) => place[0] === x && place[1] === y);
    const shown = result.maps.find(({ place }) => place[0] === x && place[1] === y);
    if (best === undefined) return <td key={x} />;
    const shares = shown === undefined ? null : sharesOf(shown);
    const [strength, red] = shares === null ? [best.strength, best.red] : [shares.strength.value, shares.red.value];
    const description = (
      <>
        {shown !== undefined && shown.map !== null ? <MapDrawing map={shown.map} label={`#${shown.id}`} /> : `#${best.id} `}
        <b>{percent(strength, 0)}</b> <span class="small quiet">{t("red", { share: percent(red, 0) })}</span>
      </>
    );
    return (
      <td key={x} class={Math.abs(red - 0.5) > fair ? "report-unfair" : ""}>
        {shown === undefined ? description : <a href={`#map-${shown.id}`}>{description}</a>}
      </td>
    );
  };
  return (
    <Panel title={t("archive")}>
      <p class="small quiet">{t("archive_about", { fair: percent(fair, 0) })}</p>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={t("archive")}>
        <table class="report-archive">
          <thead>
            <tr>
              <td />
              {[...Array(length.edges.length + 1).keys()].map((x) => (
                <th key={x} scope="col">{binWords(length.edges, x)} {t("turns")}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...Array(mix.edges.length + 1).keys()].map((y) => (
              <tr key={y}>
                <th scope="row">{binWords(mix.edges, y)} {mix.unit}</th>
                {[...Array(length.edges.length + 1).keys()].map((x) => cell(x, y))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Recipe(props: { data: GalleryData }) {
  const t = useText(words);
  const isJa = useLanguage() === "ja";
  return (
    <details>
      <summary>{t("recipe")}</summary>
      <table class="small">
        <tbody>
          {Object.entries(props.data.result.recipe).map(([name, value]) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{String(value)}</td>
              <td class="quiet">{name === "preset" ? t("preset") : ((isJa ? presets[`recipes.*.${name}`] : undefined) ?? props.data.help[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

export function EvolvedGallery(props: { data: GalleryData }) {
  const t = useText(words);
  const e = useText(evolving);
  const { data } = props;
  const { generations, maps, recipe, verified } = data.result;
  return (
    <>
      <header class="stack">
        <h1>{t("title", { preset: String(recipe["preset"]), seed: String(data.result.seed) })}</h1>
        <p class="quiet">
          {t(data.finished ? "finished" : "running")} · {e("generation")} {latestGeneration(data.result)} / {String(recipe["generations"])} ·{" "}
          {t("seed", { seed: String(data.result.seed) })}
        </p>
        {data.command !== null && <pre class="small report-rules">{data.command}</pre>}
        <Recipe data={data} />
      </header>
      <div class="split">
        <Panel title={e("chart")}>
          <FitnessChart gallery={data.result} />
          {generations.length > 0 && (
            <Chart
              x={generations.map((one) => one.generation)}
              lines={[{ label: t("filled"), values: generations.map((one) => one.filled), tone: "quiet" }]}
              label={t("filled")}
              xLabel={e("generation")}
              yLabel={t("filled")}
              height={140}
            />
          )}
        </Panel>
        <Panel title={t("counts")}>
          <Counts gallery={data.result} games={0} />
          <p class="small quiet">
            {t("files")} <a href="fitness.csv">fitness.csv</a> <a href="fitness.svg">fitness.svg</a> <a href="maps.csv">maps.csv</a>{" "}
            <a href="results.json">results.json</a>
          </p>
        </Panel>
      </div>
      <Archive data={data} />
      <h2>{e("gallery")}</h2>
      <p class="small quiet">{t(verified ? "fresh_about" : "selected_about")}</p>
      {maps.length === 0 && <Empty text={e(data.finished ? "gallery_none" : "gallery_empty")} />}
      <div class="report-cards grid">
        {maps.map((one) => (
          <Card key={one.id} one={one} data={data} />
        ))}
      </div>
      <p class="small quiet">{t("players", { strong: String(recipe["strong"]), weak: String(recipe["weak"]) })}</p>
    </>
  );
}

// SPDX-License-Identifier: MIT
//
// Shared parts of the map screens: large board, facts, problems, notes, text.

import { useMemo, useState } from "preact/hooks";

import type { Cell, MapCheck, MapProblem, MapStats, Message, Remark, TbsMap } from "../api/types";
import { number, sideName, terrainName, terrainNames } from "../app/names";
import { useLanguage, useText } from "../app/text";
import { TbsBoard } from "../board/tbs";
import { unitsOf } from "../common/mappicture";
import { Button, SideMark } from "../common/parts";
import { isSymmetric, sideCount } from "./edit";
import { cellsOf, sentenceIn } from "./messages";
import { terrainCounts } from "./serial";
import { SYMMETRIES, symmetryFits } from "./symmetry";
import { words } from "./text";

/** A read-only board, as large as possible. */
export function LargeBoard(props: { map: TbsMap; name: string; problems?: Cell[] }) {
  const t = useText(words);
  const { map, name } = props;
  const units = useMemo(() => unitsOf(map), [map]);
  const marks = useMemo(() => (props.problems ?? []).map((cell) => ({ cell, mark: "problem" as const })), [props.problems]);
  const label = t("board_of", {
    name: name === "" ? t("unnamed") : name,
    width: map.width - 2,
    height: map.height - 2,
    red: sideCount(map, "red"),
    blue: sideCount(map, "blue"),
  });
  return (
    <div class="maps-board">
      <TbsBoard map={map} units={units} marks={marks} label={label} />
    </div>
  );
}

// ---- facts ----

function hpOf(map: TbsMap, side: "red" | "blue"): number {
  return map.units.reduce((sum, unit) => (unit.side === side ? sum + unit.hp : sum), 0);
}

function TerrainFacts(props: { map: TbsMap }) {
  const counts = terrainCounts(props.map);
  const parts = [...counts].sort((a, b) => b[1] - a[1]).map(([terrain, count]) => ({ name: terrainNames[terrain] ?? "", count }));
  return (
    <ul class="maps-terrains list">
      {parts.map(({ name, count }) => (
        <li key={name}>{terrainName(name)} <b class="numbers">{count}</b></li>
      ))}
    </ul>
  );
}

function BothSides(props: { values: [number, number] }) {
  return (
    <span class="maps-sides numbers">
      {([0, 1] as const).map((side) => (
        <SideMark key={side} side={side}>{sideName("tbs", side)} {number(props.values[side])}</SideMark>
      ))}
    </span>
  );
}

export function MapFacts(props: { map: TbsMap; stats: MapStats | null; author?: string }) {
  const t = useText(words);
  const { map, stats } = props;
  const contact =
    stats === null ? t("none_yet") : stats.contact === null ? t("fact_contact_never") : t("fact_contact_value", { turn: stats.contact });
  const symmetries = useMemo(() => SYMMETRIES.filter((one) => one !== "none" && symmetryFits(one, map) && isSymmetric(map, one)), [map]);
  return (
    <dl class="maps-facts">
      <dt>{t("fact_size")}</dt>
      <dd>{t("fact_size_value", { width: map.width - 2, height: map.height - 2 })}</dd>
      <dt>{t("fact_units")}</dt>
      <dd>
        <BothSides values={[sideCount(map, "red"), sideCount(map, "blue")]} />
      </dd>
      <dt>{t("fact_hp")}</dt>
      <dd>
        <BothSides values={[hpOf(map, "red"), hpOf(map, "blue")]} />
      </dd>
      <dt>{t("fact_limit")}</dt>
      <dd>{t("fact_limit_value", { turns: number(map.turn_limit) })}</dd>
      <dt>{t("fact_threshold")}</dt>
      <dd>{t("fact_threshold_value", { hp: number(map.threshold) })}</dd>
      <dt>{t("fact_actions")}</dt>
      <dd>{stats === null ? t("none_yet") : t("fact_actions_value", { count: number(stats.actions) })}</dd>
      <dt>{t("fact_contact")}</dt>
      <dd>{contact}</dd>
      <dt>{t("fact_symmetry")}</dt>
      <dd>{symmetries.length === 0 ? t("sym_none") : symmetries.map((one) => t(`sym_${one}`)).join(", ")}</dd>
      <dt>{t("fact_terrain")}</dt>
      <dd>
        <TerrainFacts map={map} />
      </dd>
      {props.author !== undefined && props.author !== "" && (
        <>
          <dt>{t("fact_author")}</dt>
          <dd>{props.author}</dd>
        </>
      )}
    </dl>
  );
}

// ---- problems and remarks ----

/** The cells that problems mention. */
export function problemCells(problems: readonly MapProblem[], map: TbsMap): Cell[] {
  return problems.flatMap((problem) => cellsOf(problem, map));
}

export function ProblemList(props: { check: Pick<MapCheck, "problems" | "stats">; onPoint?: (message: Message | null) => void }) {
  const t = useText(words);
  const at = useLanguage();
  const { problems, stats } = props.check;
  const remarks = stats?.remarks ?? [];
  const point = (message: Message) => ({
    onMouseEnter: () => props.onPoint?.(message),
    onMouseLeave: () => props.onPoint?.(null),
  });
  if (problems.length + remarks.length === 0) return <p class="maps-fine">{t("no_problems")}</p>;
  return (
    <ul class="maps-problems">
      {problems.map((problem) => (
        <li key={`${problem.line} ${problem.text}`} class={problem.fatal ? "maps-fatal" : "maps-mild"} {...point(problem)}>
          <b>{problem.fatal ? t("problem_fatal") : t("problem_mild")}</b> {sentenceIn(at, problem)}
        </li>
      ))}
      {remarks.map((remark) => (
        <li key={remark.text} class="maps-remark" {...point(remark)}>
          <b>{t("remark")}</b> {sentenceIn(at, remark)}
        </li>
      ))}
    </ul>
  );
}

const signs: Record<Remark["weight"], string> = { good: "✓", note: "·", fault: "!" };

export function RemarkList(props: { remarks: Remark[]; names: Record<Remark["weight"], string> }) {
  const at = useLanguage();
  return (
    <ul class="maps-remarks">
      {props.remarks.map((remark) => (
        <li key={remark.text} class={`maps-${remark.weight}`}>
          <span class="maps-sign" role="img" aria-label={props.names[remark.weight]}>
            {signs[remark.weight]}
          </span>
          <span>{sentenceIn(at, remark)}</span>
        </li>
      ))}
    </ul>
  );
}

// ---- text ----

export function MapText(props: { text: string }) {
  const t = useText(words);
  const [copied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(props.text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), 2000);
      },
      () => {}, // not allowed: the text can still be selected by hand
    );
  };
  return (
    <details class="maps-text">
      <summary>{t("text")}</summary>
      <pre tabIndex={0}>{props.text}</pre>
      <Button onClick={copy}>{copied ? t("copied") : t("copy")}</Button>
    </details>
  );
}

// SPDX-License-Identifier: MIT
//
// The rules on one page: how to play, what each unit can do, what each terrain costs. All numbers come from the server.

import type { ComponentChildren } from "preact";

import type { TbsFacts } from "../api/types";
import { terrainName, unitName } from "../app/names";
import { useLanguage, useText } from "../app/text";
import { UnitSign } from "../board/tbs";
import { shared, useShared } from "../common/data";
import { Waiting } from "../common/parts";
import { Trouble } from "./parts";
import { words } from "./text";

export function HowTo() {
  const t = useText(words);
  return (
    <ul class="stack gap-1">
      {(["how_goal", "how_hp", "how_turn", "how_choose", "how_keys"] as const).map((key) => (
        <li key={key}>{t(key)}</li>
      ))}
    </ul>
  );
}

function WithFacts(props: { children: (facts: TbsFacts) => ComponentChildren }) {
  const t = useText(words);
  const facts = useShared(shared.tbs);
  if (facts.state === "waiting") return <Waiting text={t("loading")} />;
  return facts.state === "failed" ? <Trouble error={facts.error} /> : <>{props.children(facts.value)}</>;
}

export function UnitTable(props: { rules?: string | undefined }) {
  return <WithFacts>{(facts) => <Units facts={facts} rules={props.rules} />}</WithFacts>;
}

/** The damage table of a set of rules; of the first one without a name. */
export function powerOf(facts: TbsFacts, rules: string | undefined): number[][] {
  return (facts.rules.find(({ name }) => name === rules) ?? facts.rules[0])?.power ?? [];
}

function Units(props: { facts: TbsFacts; rules: string | undefined }) {
  const t = useText(words);
  const at = useLanguage();
  const { units, range } = props.facts;
  const power = powerOf(props.facts, props.rules);
  const far = units.filter(({ direct }) => !direct).map(({ name }) => unitName(name, at)).join(at === "en" ? ", " : "、");
  return (
    <div class="stack gap-2">
      <p class="small">{t("units_about")}</p>
      <div class="scroll-x" role="region" aria-label={t("units_title")} tabIndex={0}>
        <table class="study-table study-units small numbers">
          <thead>
            <tr>
              <th scope="col">{t("unit")}</th>
              <th scope="col">{t("moves")}</th>
              {units.map(({ name }) => (
                <th key={name} scope="col"><UnitSign type={name} side={1} label={unitName(name, at)} /></th>
              ))}
            </tr>
          </thead>
          <tbody>
            {units.map(({ name, move }, attacker) => (
              <tr key={name}>
                <th scope="row">
                  <span class="study-unit"><UnitSign type={name} side={0} />{unitName(name, at)}</span>
                </th>
                <td>{move}</td>
                {units.map((target, defender) => (
                  <td key={target.name}>{power[attacker]?.[defender] || "–"}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="small">{t("indirect", { unit: far, low: range[0], high: range[1] })}</p>
      <p class="small">{t("direct")}</p>
    </div>
  );
}

export function TerrainTable() {
  return <WithFacts>{(facts) => <Terrains facts={facts} />}</WithFacts>;
}

function Terrains(props: { facts: TbsFacts }) {
  const t = useText(words);
  const at = useLanguage();
  const classes = ["air", "vehicle", "foot"] as const;
  const rows = props.facts.terrains.filter(({ cost }) => classes.some((one) => cost[one] !== null));
  return (
    <div class="stack gap-2">
      <p class="small">{t("terrain_about")}</p>
      <div class="scroll-x" role="region" aria-label={t("terrain_title")} tabIndex={0}>
        <table class="study-table small numbers">
          <thead>
            <tr>
              <th scope="col">{t("terrain")}</th>
              {classes.map((one) => <th key={one} scope="col">{t(one)}</th>)}
              <th scope="col">{t("cover")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, cost, stars }) => (
              <tr key={name}>
                <th scope="row">{terrainName(name, at)}</th>
                {classes.map((one) => <td key={one}>{cost[one] ?? "–"}</td>)}
                <td>{stars}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

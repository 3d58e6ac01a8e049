// SPDX-License-Identifier: MIT
//
// A fairness test as text, bars and numbers; on its own page and in the editor.

import type { JobInfo } from "../api/types";
import { number, percent, sideName } from "../app/names";
import { useText } from "../app/text";
import { ShareBar, SideMark } from "../common/parts";
import type { Judgement } from "./judgement";
import { RemarkList } from "./pieces";
import { words } from "./text_judge";

/** The colour of the verdict; the text says the same. */
function toneOf(fairness: Judgement["fairness"]): string {
  if (fairness === "fair" || fairness === "about_fair") return "good";
  return fairness === "unknown" || fairness === "unclear" ? "open" : "leaning";
}

export function Verdict(props: { judgement: Judgement; state: JobInfo["state"] }) {
  const t = useText(words);
  const { judgement, state } = props;
  const { red, fairness, telling } = judgement;
  const ends = { value: percent(red.value), low: percent(red.low), high: percent(red.high) };
  const isOver = state !== "running" && state !== "queued";
  const word = fairness === "unknown" ? t(isOver ? "fairness_none" : "fairness_unknown") : t(`fairness_${fairness}`, ends);
  return (
    <div class={`maps-verdict maps-verdict-${toneOf(fairness)}`} role="status" aria-live="polite">
      <strong>{word}</strong>
      {fairness !== "unknown" && fairness !== "unclear" && <span>{t("because", ends)}</span>}
      <span>{t(`strength_${telling}`)}</span>
      {isOver && judgement.games > 0 && !judgement.tight && <span class="quiet">{t("not_tight")}</span>}
    </div>
  );
}

export function Bars(props: { judgement: Judgement; short?: boolean }) {
  const t = useText(words);
  const { judgement } = props;
  return (
    <div class="stack gap-3">
      <ShareBar share={judgement.red} label={t("equals")} centre={0.5} />
      {props.short !== true && <h3>{t("does_strength_tell")}</h3>}
      <ShareBar share={judgement.strength} label={t("both")} centre={0.5} />
      {props.short !== true && (
        <>
          <ShareBar share={judgement.asRed} label={t("as_red")} centre={0.5} />
          <ShareBar share={judgement.asBlue} label={t("as_blue")} centre={0.5} />
        </>
      )}
    </div>
  );
}

function SideRow(props: { label: string; values: [string, string] }) {
  return (
    <tr>
      <th scope="row">{props.label}</th>
      {props.values.map((value, side) => (
        <td key={side} class="numbers">{value}</td>
      ))}
    </tr>
  );
}

function SideTable(props: { judgement: Judgement }) {
  const t = useText(words);
  const { sides } = props.judgement;
  const both = (tell: (side: (typeof sides)[0]) => string): [string, string] => [tell(sides[0]), tell(sides[1])];
  const count = (value: number | null) => (value === null ? "–" : number(value));
  return (
    <div class="scroll-x">
      <table>
        <thead>
          <tr>
            <td />
            {([0, 1] as const).map((side) => (
              <th key={side} scope="col">
                <SideMark side={side}>{sideName("tbs", side)}</SideMark>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <SideRow
            label={t("first_kills")}
            values={both(({ firstKills, anyFirstKill }) =>
              firstKills === null || anyFirstKill === null
                ? "–"
                : t("first_kills_value", { mean: number(firstKills, 2), any: percent(anyFirstKill, 0) }),
            )}
          />
          <SideRow
            label={t("first_attacks")}
            values={both(({ firstAttacks, attackers }) => (firstAttacks === null ? "–" : t("first_attacks_value", { count: firstAttacks, units: count(attackers) })))}
          />
          <SideRow label={t("useless")} values={both((side) => count(side.useless))} />
        </tbody>
      </table>
    </div>
  );
}

export function Figures(props: { judgement: Judgement }) {
  const t = useText(words);
  const { games, decisive, turns, natural } = props.judgement;
  return (
    <div class="stack">
      <dl class="numbers">
        <dt>{t("games_played")}</dt>
        <dd>{number(games)}</dd>
        <dt>{t("decisive")}</dt>
        <dd>{decisive.games === 0 ? "–" : percent(decisive.value)}</dd>
        <dt>{t("turns")}</dt>
        <dd>{turns === null || games === 0 ? "–" : number(turns, 1)}</dd>
        <dt>{t("natural")}</dt>
        <dd>{natural === null ? "–" : t("natural_value", { value: number(natural, 2) })}</dd>
      </dl>
      <SideTable judgement={props.judgement} />
    </div>
  );
}

export function Remarks(props: { judgement: Judgement }) {
  const t = useText(words);
  const { remarks } = props.judgement;
  if (remarks.length === 0) return <p class="quiet">{t("no_remarks")}</p>;
  return <RemarkList remarks={remarks} names={{ good: t("good"), note: t("note"), fault: t("fault") }} />;
}

// SPDX-License-Identifier: MIT
//
// The selection of tool, terrain, unit and symmetry.

import type { ComponentChildren } from "preact";

import type { TbsFacts, TbsMap } from "../api/types";
import { sideName, terrainName, unitName } from "../app/names";
import { useText } from "../app/text";
import { TbsBoard, UnitSign } from "../board/tbs";
import { useHotkey } from "../common/keys";
import { Button, Checkbox, NumberField, SideMark } from "../common/parts";
import { otherSide, sideCount, type UnitBrush } from "./edit";
import { SYMMETRIES, symmetryFits, type Symmetry } from "./symmetry";
import { words as common } from "./text";
import { words } from "./text_editor";
import { TOOLS, type Hand } from "./tools";

interface ToolProps {
  hand: Hand;
  onHand: (part: Partial<Hand>) => void;
  facts: TbsFacts;
  map: TbsMap;
}

function Group(props: { title: string; children: ComponentChildren }) {
  return (
    <section class="stack gap-2" aria-label={props.title}>
      <h2 class="quiet small">{props.title}</h2>
      {props.children}
    </section>
  );
}

export function ToolChoice({ hand, onHand }: Pick<ToolProps, "hand" | "onHand">) {
  const t = useText(words);
  return (
    <Group title={t("tools")}>
      <div class="maps-tools grid gap-1">
        {TOOLS.map(({ tool, key }) => (
          <Button key={tool} pressed={hand.tool === tool} hotkey={key} onClick={() => onHand({ tool })}>
            {t(`tool_${tool}`)}
          </Button>
        ))}
      </div>
      <p class="maps-hint small quiet">{t(`hint_${hand.tool}`)}</p>
    </Group>
  );
}

// ---- terrain ----

/** One cell of it, drawn as on the board. */
function Swatch(props: { terrain: number }) {
  const map = { width: 3, height: 3, terrain: ["000", `0${props.terrain}0`, "000"] };
  return (
    <span class="maps-swatch" aria-hidden="true">
      <TbsBoard small map={map} units={[]} label="" />
    </span>
  );
}

/** A terrain tool stays selected; any other one changes to the brush. */
function toolFor(hand: Hand): Hand["tool"] {
  return hand.tool === "fill" || hand.tool === "rectangle" ? hand.tool : "paint";
}

function TerrainButton(props: ToolProps & { terrain: number }) {
  const t = useText(words);
  const { hand, onHand, facts, terrain } = props;
  const kind = facts.terrains[terrain];
  const choose = () => onHand({ terrain, tool: toolFor(hand) });
  useHotkey(String(terrain), choose);
  if (kind === undefined) return null;
  const text = (cost: number | null) => (cost === null ? t("closed") : String(cost));
  const costs = { air: text(kind.cost.air), vehicle: text(kind.cost.vehicle), foot: text(kind.cost.foot) };
  const title = [terrainName(kind.name), t("costs", costs), t("stars", { count: kind.stars })].join(". ");
  return (
    <button
      type="button"
      class="maps-choice small"
      aria-pressed={hand.terrain === terrain && hand.tool !== "unit" && hand.tool !== "move"}
      aria-label={title}
      aria-keyshortcuts={String(terrain)}
      title={title}
      onClick={choose}
    >
      <Swatch terrain={terrain} />
      <span class="maps-choice-name">{terrainName(kind.name)}</span>
      <span class="maps-choice-facts quiet numbers">
        {t("cost_short", costs)} <span class="maps-stars">{"★".repeat(kind.stars)}</span>
      </span>
      <kbd aria-hidden="true">{terrain}</kbd>
    </button>
  );
}

export function TerrainChoice(props: ToolProps) {
  const t = useText(words);
  return (
    <Group title={t("terrain")}>
      <div class="maps-choices">
        {props.facts.terrains.map((_, terrain) => (
          <TerrainButton key={terrain} {...props} terrain={terrain} />
        ))}
      </div>
      <p class="small quiet">{t("cost_legend")}</p>
    </Group>
  );
}

// ---- units ----

function UnitButton(props: ToolProps & { type: string }) {
  const t = useText(words);
  const { hand, onHand, facts, type } = props;
  const kind = facts.units.find((one) => one.name === type);
  if (kind === undefined) return null;
  const moves = t("unit_facts", { move: kind.move });
  const title = [unitName(type), moves, ...(kind.direct ? [] : [t("indirect", { low: facts.range[0], high: facts.range[1] })])].join(". ");
  return (
    <button
      type="button"
      class="maps-choice small"
      aria-pressed={hand.tool === "unit" && hand.brush.type === type}
      aria-label={title}
      title={title}
      onClick={() => onHand({ tool: "unit", brush: { ...hand.brush, type } })}
    >
      <span class="maps-swatch" aria-hidden="true">
        <UnitSign type={type} side={hand.brush.side === "red" ? 0 : 1} />
      </span>
      <span class="maps-choice-name">{unitName(type)}</span>
      <span class="maps-choice-facts quiet">{moves}</span>
    </button>
  );
}

export function UnitChoice(props: ToolProps) {
  const t = useText(words);
  const { hand, onHand, facts, map } = props;
  const set = (part: Partial<UnitBrush>) => onHand({ tool: "unit", brush: { ...hand.brush, ...part } });
  useHotkey("x", () => set({ side: otherSide(hand.brush.side) }));
  const full = (["red", "blue"] as const).filter((side) => sideCount(map, side) >= facts.side_units_max);
  return (
    <Group title={t("units")}>
      <div class="maps-side-choice" role="group" aria-label={t("side")}>
        {(["red", "blue"] as const).map((side, index) => (
          <Button key={side} pressed={hand.brush.side === side} onClick={() => set({ side })}>
            <SideMark side={index === 0 ? 0 : 1}>{sideName("tbs", index === 0 ? 0 : 1)}</SideMark>
          </Button>
        ))}
        <kbd aria-hidden="true">X</kbd>
      </div>
      <div class="maps-choices">
        {facts.units.map((unit) => (
          <UnitButton key={unit.name} {...props} type={unit.name} />
        ))}
      </div>
      <div class="maps-unit-form">
        <NumberField label={t("hp")} value={hand.brush.hp} low={1} high={facts.hp_max} onChange={(hp) => set({ hp })} />
        <Checkbox checked={hand.brush.done ?? false} onChange={(done) => set({ done })} label={t("done")} />
      </div>
      {full.map((side) => (
        <p key={side} class="small maps-warn" role="status">
          {t("side_full", { side: sideName("tbs", side === "red" ? 0 : 1), count: facts.side_units_max })}
        </p>
      ))}
    </Group>
  );
}

// ---- symmetry ----

const signs: Record<Symmetry, string> = { none: "○", mirror: "⇆", flip: "⇅", turn: "↻", diagonal: "╲", antidiagonal: "╱" };

export function SymmetryChoice(props: Pick<ToolProps, "hand" | "onHand" | "map"> & { onMake: () => void }) {
  const t = useText(words);
  const c = useText(common);
  const { hand, onHand, map } = props;
  const possible = SYMMETRIES.filter((one) => symmetryFits(one, map));
  const next = possible[(possible.indexOf(hand.symmetry) + 1) % possible.length] ?? "none";
  useHotkey("s", () => onHand({ symmetry: next }));
  return (
    <Group title={t("symmetry")}>
      <div class="maps-symmetries" role="group" aria-label={t("symmetry")}>
        {SYMMETRIES.map((one) => (
          <Button
            key={one}
            pressed={hand.symmetry === one}
            disabled={!possible.includes(one)}
            label={c(`sym_${one}`)}
            onClick={() => onHand({ symmetry: one })}
          >
            <span aria-hidden="true">{signs[one]}</span>
          </Button>
        ))}
        <kbd aria-hidden="true">S</kbd>
      </div>
      <p class="small">{c(`sym_${hand.symmetry}`)}</p>
      <Button disabled={hand.symmetry === "none"} onClick={props.onMake} label={t("make_symmetric_help")}>
        {t("make_symmetric")}
      </Button>
    </Group>
  );
}

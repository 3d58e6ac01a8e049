// SPDX-License-Identifier: MIT
//
// The history of the game as a chart: the win probability by the adviser and the players, or the material. A click goes
// to that position.

import { useState } from "preact/hooks";

import type { LiveGame } from "../api/types";
import { isTactical, seatName, sideName } from "../app/names";
import { useText } from "../app/text";
import { Chart, type ChartLine } from "../common/chart";
import { Panel, Tabs } from "../common/parts";
import { adviserChances, hasAny, materials, playerChances, plies } from "./series";
import { type SpectatorView, unseenSide } from "./spectator_view";
import { words } from "./text";

const height = 200;

interface HistoryProps {
  liveGame: LiveGame;
  view: SpectatorView;
  shown: number;
  onGo: (ply: number) => void;
}

function Chances(props: HistoryProps) {
  const t = useText(words);
  const { liveGame } = props;
  const side = sideName(liveGame.ground.game, 0);
  const unseen = unseenSide(props.view);
  const name = (of: 0 | 1) => `${sideName(liveGame.ground.game, of)}: ${seatName(liveGame.seats[of])}`;
  const lines: ChartLine[] = [
    { label: t("adviser"), values: adviserChances(liveGame), tone: "third" },
    { label: name(0), values: unseen === 0 ? [] : playerChances(liveGame, 0), tone: "first" },
    { label: name(1), values: unseen === 1 ? [] : playerChances(liveGame, 1), tone: "second" },
  ];
  const drawn = lines.filter((line) => hasAny(line.values));
  return (
    <>
      <Chart
        x={plies(liveGame)}
        lines={drawn}
        label={t("chart_chance_label", { side })}
        xLabel={t("chart_x")}
        yLabel={t("chart_y", { side })}
        yRange={[0, 1]}
        percent
        mark={props.shown}
        onPick={props.onGo}
        height={height}
      />
      {drawn.length === 0 && <p class="small quiet">{t("no_chances")}</p>}
    </>
  );
}

function Material(props: HistoryProps) {
  const t = useText(words);
  const { liveGame } = props;
  const isHp = isTactical(liveGame.ground.game);
  const lines = ([0, 1] as const).map(
    (side): ChartLine => ({
      label: sideName(liveGame.ground.game, side),
      values: materials(liveGame, side),
      tone: side === 0 ? "first" : "second",
    }),
  );
  return (
    <Chart
      x={plies(liveGame)}
      lines={lines}
      label={t(isHp ? "chart_hp_label" : "chart_pieces_label")}
      xLabel={t("chart_x")}
      yLabel={t(isHp ? "chart_hp" : "chart_pieces")}
      mark={props.shown}
      onPick={props.onGo}
      height={height}
    />
  );
}

export function HistoryChart(props: HistoryProps) {
  const t = useText(words);
  const [tab, setTab] = useState<"chance" | "material">("chance");
  const hasMaterial = hasAny(materials(props.liveGame, 0));
  return (
    <Panel title={t("history")}>
      {hasMaterial && (
        <Tabs
          label={t("history")}
          chosen={tab}
          onChoose={setTab}
          tabs={[
            { name: "chance", label: t("chart_chance") },
            { name: "material", label: t("chart_material") },
          ]}
        />
      )}
      {tab === "chance" || !hasMaterial ? <Chances {...props} /> : <Material {...props} />}
    </Panel>
  );
}

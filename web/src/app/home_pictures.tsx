// SPDX-License-Identifier: MIT
//
// Pictures of the home screen: boards of existing maps and of the latest game.

import { api } from "../api/client";
import type { Cell, GeisterPiece, GeisterState, Side, LiveGame, LiveGameInfo } from "../api/types";
import { GeisterBoard } from "../board/geister";
import { TbsBoard, type BoardArrow } from "../board/tbs";
import { useOptional } from "../common/data";
import { mapDetails, MapPicture, unitsOf } from "../common/mappicture";
import type { PictureName } from "./home";
import { isTactical } from "./names";
import { useText } from "./text";
import { words } from "./shell_text";

/** A map with an example evaluation. */
function ThoughtPicture(props: { map: string; arrows: BoardArrow[] }) {
  const t = useText(words);
  const map = useOptional(() => mapDetails(props.map), [props.map])?.map;
  if (map === undefined) return null;
  return <TbsBoard small map={map} units={unitsOf(map)} arrows={props.arrows} label={t("example_map", { name: props.map })} />;
}

/** The latest game; a map if there is none. */
function LastGame(props: { liveGames: LiveGameInfo[] | null; otherwise: string }) {
  const t = useText(words);
  const last = props.liveGames?.find((one) => isTactical(one.ground.game) && one.ply > 0)?.id;
  const liveGame = useOptional(() => (last === undefined ? null : api.get<LiveGame>(`/api/tables/${encodeURIComponent(last)}`)), [last]);
  if (liveGame === null || liveGame.map === null || liveGame.state.game !== "tbs") return <MapPicture name={props.otherwise} />;
  return <TbsBoard small map={liveGame.map} units={liveGame.state.units} label={t("watch")} />;
}

function pieces(side: Side, reds: string, cells: Record<string, Cell>): GeisterPiece[] {
  return [..."ABCDEFGH"].map((letter) => ({
    side,
    letter,
    at: cells[letter] ?? null,
    fate: cells[letter] === undefined ? "taken" : "board",
    colour: side === 1 ? "unknown" : reds.includes(letter) ? "red" : "blue",
  }));
}

/** Some way into a game, as the first player sees it. */
const ghosts: GeisterState = {
  game: "geister",
  mover: 0,
  turn: 9,
  text: "",
  result: "none",
  payoff: null,
  over: false,
  phase: "play",
  ply: 18,
  plies_max: 300,
  exits: { forward: true, sideways: true },
  pieces: [
    ...pieces(0, "ACFH", { A: [1, 3], B: [2, 4], C: [3, 3], D: [5, 2], E: [1, 5], F: [2, 5], H: [4, 5] }),
    ...pieces(1, "", { A: [4, 1], B: [3, 1], C: [2, 2], D: [0, 2], E: [4, 0], G: [2, 0], H: [1, 0] }),
  ],
};

function GhostPicture() {
  const t = useText(words);
  return <GeisterBoard small state={ghosts} from={0} label={t("example_geister")} />;
}

/** A cross-table, as a sign. */
function GridSign() {
  const shares = [
    [-1, 0.8, 0.6, 0.9],
    [0.2, -1, 0.4, 0.7],
    [0.4, 0.6, -1, 0.8],
    [0.1, 0.3, 0.2, -1],
  ];
  return (
    <svg class="home-sign" viewBox="0 0 100 100" aria-hidden="true">
      {shares.flatMap((row, y) =>
        row.map((share, x) => (
          <rect
            key={`${x}${y}`}
            class={share < 0 ? "is-none" : share > 0.5 ? "is-red" : "is-blue"}
            x={6 + 22.5 * x}
            y={6 + 22.5 * y}
            width="20.5"
            height="20.5"
            rx={share > 0.5 ? 10.25 : 3}
            fill-opacity={share < 0 ? 1 : 0.25 + Math.abs(share - 0.5) * 1.5}
          />
        )),
      )}
    </svg>
  );
}

/** Published points and our own line. */
function PlotSign() {
  const points = [
    [16, 74],
    [32, 60],
    [48, 50],
    [64, 34],
    [80, 26],
  ] as const;
  return (
    <svg class="home-sign" viewBox="0 0 100 100" aria-hidden="true">
      <path class="is-axis" d="M8 6V92H94" />
      <path class="is-band" d="M14 82L32 66L48 56L64 42L86 30V16L64 26L48 42L32 52L14 64z" />
      <path class="is-line" d="M14 73L32 59L48 49L64 34L86 23" />
      {points.map(([x, y]) => (
        <circle key={x} class="is-point" cx={x} cy={y + (x % 32 === 0 ? 4 : -4)} r="3.4" />
      ))}
    </svg>
  );
}

const arrows: BoardArrow[] = [
  { from: [2, 2], to: [2, 3], kind: "move", weight: 0.9 },
  { from: [2, 3], to: [3, 3], kind: "attack", weight: 0.9 },
  { from: [1, 1], to: [3, 1], kind: "move", weight: 0.3 },
];

export function HomePicture(props: { name: PictureName; liveGames: LiveGameInfo[] | null }) {
  switch (props.name) {
    case "hero":
      return <MapPicture name="standard" />;
    case "play":
      return <GhostPicture />;
    case "watch":
      return <LastGame liveGames={props.liveGames} otherwise="bridge" />;
    case "analyse":
      return <ThoughtPicture map="duel" arrows={arrows} />;
    case "maps":
      return <MapPicture name="islands" />;
    case "tournaments":
      return <GridSign />;
    case "experiments":
      return <PlotSign />;
    case "learn":
      return <MapPicture name="skirmish_infantry" />;
  }
}

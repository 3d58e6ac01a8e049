// SPDX-License-Identifier: MIT
//
// Ratings with their errors, and their history.

import type { TournamentResult } from "../api/types";
import { number, signed } from "../app/format";
import { useText } from "../app/text";
import { Chart, type ChartLine } from "../common/chart";
import { Empty } from "../common/parts";
import { type EloHistory, type RatingPoint, ratingRange, ratings } from "./report";
import { words } from "./text";

const LEFT = 5; // per cent of the picture that the outermost labels need
const WIDTH = 100 - 2 * LEFT;

/** One player's line of the picture: in per cent and rem, so that it scales with the page. */
function RatingRow(props: { point: RatingPoint; place: (elo: number) => number; ticks: number[] }) {
  const t = useText(words);
  const { point, place } = props;
  const low = `${place(point.elo - point.error)}%`;
  const high = `${place(point.elo + point.error)}%`;
  const values = { player: point.player, elo: signed(point.elo), error: number(point.error) };
  return (
    <li class="tournaments-rating-row">
      <span class="tournaments-name clip" title={point.player}>{point.player}</span>
      <span class="quiet numbers tournaments-tight">{values.elo} ± {values.error}</span>
      <svg role="img" aria-label={t("rating_of", values)}>
        {props.ticks.map((tick) => (
          <line key={tick} class="tournaments-tick" x1={`${place(tick)}%`} x2={`${place(tick)}%`} y1="0" y2="100%" />
        ))}
        <line class="tournaments-error" x1={low} x2={high} y1="50%" y2="50%" />
        <line class="tournaments-error" x1={low} x2={low} y1="30%" y2="70%" />
        <line class="tournaments-error" x1={high} x2={high} y1="30%" y2="70%" />
        <circle class="tournaments-rating" cx={`${place(point.elo)}%`} cy="50%" r="0.32rem" />
      </svg>
    </li>
  );
}

function RatingPicture(props: { points: RatingPoint[] }) {
  const [low, high] = ratingRange(props.points);
  const place = (elo: number) => LEFT + (WIDTH * (elo - low)) / (high - low);
  const ticks = [low, (low + high) / 2, high];
  return (
    <div class="tournaments-ratings">
      <ol>
        {props.points.map((point) => (
          <RatingRow key={point.player} point={point} place={place} ticks={ticks} />
        ))}
      </ol>
      <svg class="tournaments-axis" aria-hidden="true">
        {ticks.map((tick) => (
          <text key={tick} class="tournaments-tick-text" x={`${place(tick)}%`} y="75%" text-anchor="middle">
            {signed(tick)}
          </text>
        ))}
      </svg>
    </div>
  );
}

const tones: ChartLine["tone"][] = ["first", "second", "third", "fourth", "quiet"];

export function Ratings(props: { report: TournamentResult; history: EloHistory }) {
  const t = useText(words);
  const points = ratings(props.report);
  const { games, elo } = props.history;
  if (points.length === 0) return <Empty text={t("ratings_wait")} />;
  const lines = props.report.standings.slice(0, tones.length).map((one, at) => ({
    label: one.player,
    values: elo[one.player] ?? games.map(() => null),
    tone: tones[at] ?? "quiet",
  }));
  return (
    <div class="stack">
      <RatingPicture points={points} />
      {games.length > 2 && <Chart x={games} lines={lines} label={t("history")} xLabel={t("history_x")} yLabel={t("elo")} height={220} />}
    </div>
  );
}

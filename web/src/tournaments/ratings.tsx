// SPDX-License-Identifier: MIT
//
// Ratings with their errors, and how they have gone so far.

import { number, signed } from "../app/format";
import { useText } from "../app/text";
import { Chart, type ChartLine } from "../common/chart";
import { Empty } from "../common/parts";
import { type Course, type RatingPoint, ratingRange, ratings, type Report } from "./report";
import { words } from "./text";

const ROW = 26; // of the picture, in its own units
const LEFT = 4;
const WIDTH = 100 - 2 * LEFT;

function RatingRow(props: { point: RatingPoint; place: (elo: number) => number; y: number }) {
  const { point, place, y } = props;
  const low = place(point.elo - point.error);
  const high = place(point.elo + point.error);
  return (
    <g>
      <line class="tournaments-error" x1={`${low}%`} x2={`${high}%`} y1={y} y2={y} />
      <line class="tournaments-error" x1={`${low}%`} x2={`${low}%`} y1={y - 5} y2={y + 5} />
      <line class="tournaments-error" x1={`${high}%`} x2={`${high}%`} y1={y - 5} y2={y + 5} />
      <circle class="tournaments-rating" cx={`${place(point.elo)}%`} cy={y} r="5" />
    </g>
  );
}

function RatingPicture(props: { points: RatingPoint[] }) {
  const t = useText(words);
  const [low, high] = ratingRange(props.points);
  const place = (elo: number) => LEFT + (WIDTH * (elo - low)) / (high - low);
  const height = ROW * props.points.length + 20;
  const ticks = [low, (low + high) / 2, high];
  return (
    <div class="tournaments-ratings">
      <ol class="tournaments-rating-names">
        {props.points.map((point) => (
          <li key={point.player}>
            <span>{point.player}</span>{" "}
            <span class="quiet numbers">
              {signed(point.elo)} ± {number(point.error)}
            </span>
          </li>
        ))}
      </ol>
      <svg class="tournaments-rating-picture" height={height} role="img" aria-label={t("ratings")}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="tournaments-tick" x1={`${place(tick)}%`} x2={`${place(tick)}%`} y1="0" y2={height - 18} />
            <text class="tournaments-tick-text" x={`${place(tick)}%`} y={height - 4} text-anchor="middle">
              {signed(tick)}
            </text>
          </g>
        ))}
        {props.points.map((point, at) => (
          <RatingRow key={point.player} point={point} place={place} y={ROW * at + ROW / 2} />
        ))}
      </svg>
    </div>
  );
}

const tones: ChartLine["tone"][] = ["first", "second", "third", "fourth", "quiet"];

export function Ratings(props: { report: Report; course: Course }) {
  const t = useText(words);
  const points = ratings(props.report);
  const { games, elo } = props.course;
  if (points.length === 0) return <Empty text={t("ratings_wait")} />;
  const lines = props.report.standings.slice(0, tones.length).map((one, at) => ({
    label: one.player,
    values: elo[one.player] ?? games.map(() => null),
    tone: tones[at] ?? "quiet",
  }));
  return (
    <div class="stack">
      <RatingPicture points={points} />
      {games.length > 2 && <Chart x={games} lines={lines} label={t("course")} xLabel={t("course_x")} yLabel={t("elo")} height={220} />}
    </div>
  );
}

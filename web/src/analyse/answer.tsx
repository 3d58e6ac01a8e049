// SPDX-License-Identifier: MIT
//
// One result: the live evaluation and choice of a player, or what the solver has proved.

import type { Analysis, NewAnalysis, Solution, Thoughts } from "../api/types";
import { didShort, duration, number, short, sideName } from "../app/names";
import { type Say, useText } from "../app/text";
import { Chart, type ChartLine } from "../common/chart";
import { Button, ErrorNote, Panel } from "../common/parts";
import type { LineAction } from "../thoughts/arrows";
import { Candidates, Line, Work } from "../thoughts/candidates";
import { areChances, valueLines } from "./history";
import { words, type Words } from "./text";
import { type Answer, isRunning } from "./use_analyses";

export interface AnswerProps {
  answer: Answer;
  isHere: boolean; // it is about the position that is shown
  selected: string | null;
  onSelect: (action: string | null) => void;
  onPoint: (action: string | null) => void;
  onStop: () => void;
  onRemove: () => void;
  onGoThere: () => void;
  onPlayLine: (line: LineAction[]) => void;
}

function budgetWords(question: NewAnalysis, t: Say<Words>): string {
  if (question.time_ms !== undefined) return duration(question.time_ms / 1000);
  if (question.sims !== undefined) return `${number(question.sims)} ${t("budget_sims")}`;
  return t("budget_own");
}

function stateOf(answer: Answer): Analysis["state"] {
  return answer.error !== null ? "failed" : (answer.analysis?.state ?? "running");
}

const tones = ["first", "second", "third", "fourth"] as const;

function ValueChart(props: { answer: Answer; thoughts: Thoughts }) {
  const t = useText(words);
  const { history } = props.answer;
  if (history.length < 3) return null;
  const { candidates } = props.thoughts;
  const isChance = areChances(candidates);
  const lines = valueLines(history, props.thoughts).map(
    ({ action, values }, index): ChartLine => ({
      label: didShort(candidates.find((one) => one.action === action)?.did ?? { kind: "plain", side: 0, text: action }),
      values,
      tone: tones[index] ?? "quiet",
    }),
  );
  return (
    <Chart
      x={history.map((moment) => moment.seconds)}
      lines={lines}
      label={t("chart_values")}
      xLabel={t("chart_seconds")}
      yLabel={t(isChance ? "chart_chance" : "chart_value")}
      percent={isChance}
      height={150}
    />
  );
}

/** A line of play that can be stepped through. */
function PlayableLine(props: AnswerProps & { title: string; line: LineAction[] }) {
  const t = useText(words);
  if (props.line.length === 0) return null;
  return (
    <div class="stack analyse-recommended">
      <h4>{props.title}</h4>
      <Line line={props.line} />
      {props.isHere && (
        <div class="row">
          <Button onClick={() => props.onPlayLine(props.line)}>{t("play_line")}</Button>
        </div>
      )}
    </div>
  );
}

function Recommended(props: AnswerProps) {
  const t = useText(words);
  const line = props.answer.analysis?.turn ?? [];
  return <PlayableLine {...props} title={t(line.length > 1 ? "recommended_turn" : "recommended")} line={line} />;
}

function ThinkAnswer(props: AnswerProps) {
  const t = useText(words);
  const { thoughts, analysis } = props.answer;
  if (thoughts === null) return isRunning(props.answer) ? <p class="quiet">{t("starting")}</p> : <Recommended {...props} />;
  return (
    <>
      <Work thoughts={thoughts} />
      <Candidates
        thoughts={thoughts}
        selected={props.selected}
        onSelect={props.onSelect}
        onPoint={props.onPoint}
        chosen={analysis?.chosen ?? null}
      />
      <ValueChart answer={props.answer} thoughts={thoughts} />
      <Recommended {...props} />
    </>
  );
}

// ---- solving ----

function resultWords(solution: Solution, game: string, t: Say<Words>): string {
  const { turns_low: low, turns_high: high, value } = solution;
  if (value === "draw") return t("solved_draw");
  const names = { side: sideName(game, solution.side), other: sideName(game, solution.side === 0 ? 1 : 0) };
  const turns = low === high ? t("turns_exact", { turns: low }) : high > 0 ? t("turns_between", { low, high }) : t("turns_from", { low });
  return `${t(value === "win" ? "solved_win" : "solved_loss", names)} ${turns}`;
}

/** What was proved without a solution, and why the search ended. */
function unsolvedWords(solution: Solution, game: string, isStopped: boolean, t: Say<Words>): string[] {
  const side = sideName(game, solution.side);
  const proved = solution.low > 0 ? t("unsolved_low", { side }) : solution.high < 1 ? t("unsolved_high", { side }) : t("unsolved_open");
  const depth = solution.depth > 0 ? [t("unsolved_depth", { depth: solution.depth })] : [];
  return [proved, ...depth, t(isStopped ? "unsolved_why_stopped" : "unsolved_why_time")];
}

function Solving(props: { thoughts: Thoughts | null }) {
  const t = useText(words);
  const { thoughts } = props;
  if (thoughts === null) return <p role="status">{t("solving_start")}</p>;
  const { depth, nodes, seconds } = thoughts;
  const speed = seconds > 0 ? short(Math.round(nodes / seconds)) : "–";
  return (
    <p class="numbers" role="status" aria-live="off">
      {t("solving", { depth, nodes: short(nodes), speed, time: duration(seconds) })}
    </p>
  );
}

function SolveAnswer(props: AnswerProps) {
  const t = useText(words);
  const { analysis, thoughts, asked } = props.answer;
  const solution = analysis?.solution ?? null;
  if (solution === null) return isRunning(props.answer) ? <Solving thoughts={thoughts} /> : null;
  const game = asked.start.game;
  return (
    <>
      {solution.solved ? (
        <p class="analyse-result">{resultWords(solution, game, t)}</p>
      ) : (
        <div>
          <p class="analyse-result">{t("unsolved")}</p>
          {unsolvedWords(solution, game, analysis?.state === "stopped", t).map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
      <p class="small quiet numbers">{t("solved_work", { nodes: short(solution.nodes), time: duration(solution.seconds) })}</p>
      <PlayableLine {...props} title={t("best_play")} line={solution.line} />
    </>
  );
}

export function AnswerCard(props: AnswerProps) {
  const t = useText(words);
  const { answer } = props;
  const { question, analysis } = answer;
  const title = question.kind === "solve" ? t("solve_title") : (question.player ?? "");
  return (
    <Panel
      level={3}
      title={title}
      actions={
        <>
          <span class={`analyse-state analyse-state-${stateOf(answer)}`} role="status">
            {t(stateOf(answer))}
          </span>
          {isRunning(answer) ? (
            <Button kind="danger" disabled={answer.id === null} onClick={props.onStop}>{t("stop")}</Button>
          ) : (
            <Button kind="quiet" onClick={props.onRemove}>{t("remove")}</Button>
          )}
        </>
      }
    >
      {question.kind === "think" && <p class="small quiet">{budgetWords(question, t)}</p>}
      {!props.isHere && (
        <div class="row small">
          <span>{t("other_position")}</span>
          <Button kind="quiet" onClick={props.onGoThere}>{t("go_there")}</Button>
        </div>
      )}
      {question.kind === "solve" ? <SolveAnswer {...props} /> : <ThinkAnswer {...props} />}
      {answer.error !== null && <ErrorNote error={answer.error} />}
      {analysis?.state === "failed" && <ErrorNote error={analysis.error} />}
    </Panel>
  );
}

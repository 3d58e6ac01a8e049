// SPDX-License-Identifier: MIT
//
// #/analyse: any position with any player, evaluated live, and solved exactly where possible.

import { useMemo, useState } from "preact/hooks";

import { gameOf, stateWords } from "../app/names";
import type { Route } from "../app/route";
import { useText } from "../app/text";
import { shared, useShared } from "../common/data";
import { Button, Empty, ErrorNote, Panel, Waiting } from "../common/parts";
import { editMap } from "../maps/launch";
import type { LineAction } from "../thoughts/arrows";
import { AnswerCard } from "./answer";
import { AskPanel, type Question } from "./ask";
import { ExploreBoard, TriedLine } from "./explore";
import { mapOfPosition, readRequest } from "./place";
import { SourcePanel } from "./source";
import "./style.css";
import { words } from "./text";
import { type Answer, useAnalyses } from "./use_analyses";
import { type Exploring, useVariation } from "./use_variation";
import { positionOf, sourceOf } from "./variation";

/** The line of a candidate, with the number of its result: "3 0:4,2" belongs to the third. */
function lineOf(answers: Answer[], wanted: string | null, here: string): LineAction[] {
  if (wanted === null) return [];
  const space = wanted.indexOf(" ");
  const answer = answers.find((one) => one.number === Number(wanted.slice(0, space)));
  if (answer === undefined || positionOf(answer.asked).state.text !== here) return [];
  return answer.thoughts?.candidates.find((one) => one.action === wanted.slice(space + 1))?.line ?? [];
}

/** Default: the best line of the newest result. */
function bestLine(answers: Answer[], here: string): LineAction[] {
  const newest = answers.find((one) => positionOf(one.asked).state.text === here);
  if (newest?.analysis?.solution) return newest.analysis.solution.line;
  return newest?.thoughts?.candidates[0]?.line ?? [];
}

function EditLink(props: { exploring: Exploring }) {
  const t = useText(words);
  const { position } = props.exploring;
  if (position?.state.game !== "tbs" || position.map === null) return null;
  const map = mapOfPosition(position.map, position.state);
  return (
    <div class="row">
      <Button kind="quiet" onClick={() => editMap(map, "analyse:position", "position")}>
        {t("edit_map")}
      </Button>
      <span class="small quiet">{t("edit_map_help")}</span>
    </div>
  );
}

function BoardPanel(props: { exploring: Exploring; line: LineAction[] }) {
  const t = useText(words);
  const { exploring } = props;
  const { position, error, isBusy } = exploring;
  if (position === null)
    return (
      <Panel title={t("board")}>
        {error !== null && <ErrorNote error={error} />}
        {isBusy ? <Waiting text={t("loading")} height="24rem" /> : error === null && <Empty text={t("no_position")} />}
      </Panel>
    );
  return (
    <Panel title={stateWords(position.state)}>
      {error !== null && <ErrorNote error={error} />}
      <div class={position.state.game === "geister" ? "analyse-board analyse-board-square" : "analyse-board"}>
        <ExploreBoard exploring={exploring} line={props.line} />
      </div>
      <TriedLine exploring={exploring} />
      <EditLink exploring={exploring} />
      {position.state.game !== "plain" && (
        <details>
          <summary>{t("text_now")}</summary>
          <pre class="thoughts-plain">{position.state.text}</pre>
        </details>
      )}
    </Panel>
  );
}

interface AnswersProps {
  exploring: Exploring;
  of: ReturnType<typeof useAnalyses>;
  shown: Answer[];
  selected: string | null;
  onSelect: (key: string | null) => void;
  onPoint: (key: string | null) => void;
}

function Answers(props: AnswersProps) {
  const { exploring, of } = props;
  const here = exploring.position?.state.text ?? "";
  const keyed = (answer: Answer, action: string | null) => (action === null ? null : `${answer.number} ${action}`);
  return (
    <div class="analyse-answers grid">
      {props.shown.map((answer) => (
        <AnswerCard
          key={answer.number}
          answer={answer}
          isHere={positionOf(answer.asked).state.text === here}
          selected={props.selected?.startsWith(`${answer.number} `) ? props.selected.slice(String(answer.number).length + 1) : null}
          onSelect={(action) => props.onSelect(keyed(answer, action))}
          onPoint={(action) => props.onPoint(keyed(answer, action))}
          onStop={() => of.stop(answer)}
          onRemove={() => of.remove(answer)}
          onGoThere={() => exploring.show(answer.asked)}
          onPlayLine={(line) => exploring.playLine(line.map(({ action }) => action), 1)}
        />
      ))}
    </div>
  );
}

export function AnalyseScreen(props: { route: Route }) {
  const t = useText(words);
  const request = useMemo(() => readRequest(props.route.query), [props.route]);
  const games = useShared(shared.games);
  const exploring = useVariation();
  const analyses = useAnalyses();
  const [selected, setSelected] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const { variation, position } = exploring;
  const here = position?.state.text ?? "";
  const game = variation?.start.game ?? "tbs";
  const isHidden = games.state === "ready" && (games.value.find((one) => one.name === gameOf(game))?.hidden ?? false);
  const canAsk = position !== null && !position.state.over;
  const ask = (question: Question) => variation !== null && analyses.ask({ ...question, source: sourceOf(variation) }, variation);
  const chosen = lineOf(analyses.answers, pointed ?? selected, here);
  const [newest, ...earlier] = analyses.answers;
  const cards = { exploring, of: analyses, selected, onSelect: setSelected, onPoint: setPointed };
  return (
    <div class="page stack">
      <div>
        <h1>{t("title")}</h1>
        <p class="quiet">{t("lead")}</p>
      </div>
      <div class="split">
        <div class="stack">
          <SourcePanel key={JSON.stringify(request)} request={request} onLoad={(source, start) => void exploring.load(source, start)} />
          <BoardPanel exploring={exploring} line={chosen.length > 0 ? chosen : bestLine(analyses.answers, here)} />
        </div>
        <div class="stack">
          <AskPanel game={game} canAsk={canAsk} isHidden={isHidden} onAsk={ask} />
          {newest === undefined ? <Empty text={t("no_results")} /> : <Answers {...cards} shown={[newest]} />}
        </div>
      </div>
      {earlier.length > 0 && (
        <section class="stack" aria-label={t("earlier")}>
          <h2>{t("earlier")}</h2>
          <Answers {...cards} shown={earlier} />
        </section>
      )}
    </div>
  );
}

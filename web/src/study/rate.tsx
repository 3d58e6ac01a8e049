// SPDX-License-Identifier: MIT
//
// The questions about a map, after a game from each side. Answers that are not sent yet are kept in the browser, so that a
// reload loses nothing.

import { useState } from "preact/hooks";

import { api, withQuery } from "../api/client";
import type { LiveGame, Side, Study, StudyGame, StudyMap } from "../api/types";
import { sideName } from "../app/names";
import { useText } from "../app/text";
import { TbsBoard } from "../board/tbs";
import { useOptional } from "../common/data";
import { Button, Panel } from "../common/parts";
import { cleaned, draftOf, dropDraft, extraGame, keepDraft, lengthOf, missing, type Answers } from "./logic";
import { Comment, Scale } from "./parts";
import { words } from "./text";
import type { FollowedStudy } from "./use_study";

/** A map as it was before the first action. */
export function MapSketch(props: { of: StudyMap; label: string }) {
  const game = props.of.games[0];
  const path = game === undefined ? "" : withQuery(`/api/tables/${encodeURIComponent(game.id)}`, { key: game.key });
  const shown = useOptional(() => (path === "" ? null : api.get<LiveGame>(path)), [path]);
  return (
    <div class="study-picture">
      {shown?.map && shown.start.game === "tbs" && <TbsBoard map={shown.map} units={shown.start.units} label={props.label} small />}
    </div>
  );
}

interface RateProps {
  live: FollowedStudy;
  study: Study;
  map: number;
  participant: string;
  onPlay: (game: Pick<StudyGame, "map" | "side" | "game">) => void;
  onDone: () => void;
}

export function RateStep(props: RateProps) {
  const t = useText(words);
  const { live, study, participant } = props;
  const map = study.maps[props.map] as StudyMap;
  const [answers, setAnswers] = useState(() => draftOf(participant, props.map, map));
  const [isAsked, setAsked] = useState(false); // "go on" was pressed: what is missing is marked
  const open = missing(study, answers.ratings);
  const change = (next: Answers): void => {
    setAnswers(next);
    keepDraft(participant, props.map, next);
  };
  const send = async (): Promise<void> => {
    setAsked(true);
    if (open[0] !== undefined) return document.querySelector<HTMLElement>(`#question-${CSS.escape(open[0])} input`)?.focus();
    const body = { participant, map: props.map, ratings: answers.ratings, comment: cleaned(answers.comment) };
    if ((await live.change("/api/study/answer", body)) === null) return;
    dropDraft(participant, props.map);
    props.onDone();
  };
  const isLong = lengthOf(answers.comment) > study.comment_max;
  const isDone = map.state === "done";
  return (
    <>
      <div class="study-rate-head">
        <div class="stack gap-2">
          <h1>{t("rate_title")}</h1>
          <p>{t("rate_text")}</p>
        </div>
        <MapSketch of={map} label={t("picture")} />
      </div>
      {study.questions.map((question) => (
        <Scale
          key={question.id}
          question={question}
          scale={study.scale}
          value={answers.ratings[question.id]}
          problem={isAsked && open.includes(question.id)}
          onChange={(value) => change({ ...answers, ratings: { ...answers.ratings, [question.id]: value } })}
        />
      ))}
      <Comment label={t("comment_map")} value={answers.comment} max={study.comment_max} onChange={(comment) => change({ ...answers, comment })} />
      <div>
        <Button kind="main" disabled={live.busy || isLong} onClick={() => void send()}>{t(live.busy ? "saving" : isDone ? "save" : "save_next")}</Button>
      </div>
      {!isDone && <Again map={map} busy={live.busy} onPlay={props.onPlay} />}
    </>
  );
}

/** Further games on the map are allowed until it is rated. */
function Again(props: { map: StudyMap; busy: boolean; onPlay: RateProps["onPlay"] }) {
  const t = useText(words);
  const button = (side: Side) => {
    const { number, goesOn } = extraGame(props.map, side);
    const game = goesOn?.game ?? number;
    return (
      <Button key={side} disabled={props.busy} onClick={() => props.onPlay({ map: props.map.map, side, game })}>
        {t(goesOn === null ? "again" : "again_on", { side: sideName("tbs", side) })}
      </Button>
    );
  };
  return (
    <Panel title={t("again_title")}>
      <p class="quiet small">{t("again_text")}</p>
      <div class="row">{props.map.sides.map(button)}</div>
    </Panel>
  );
}

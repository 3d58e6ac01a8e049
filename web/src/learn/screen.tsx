// SPDX-License-Identifier: MIT
//
// #/learn: the tour and the players. #/learn/tour/ID: a lesson. #/learn/players and #/learn/players/NAME.

import { useState } from "preact/hooks";

import { href, type Route } from "../app/route";
import { useText } from "../app/text";
import { useSubject } from "../app/title";
import { Button, Empty, Panel } from "../common/parts";
import "../play/style.css";
import { LessonPage, lessonNumber } from "./lesson";
import { findLesson, LESSONS, type Lesson } from "./lessons";
import { words as lessonWords, type LessonWords } from "./lessons_text";
import { PlayerList, PlayerPage } from "./players";
import { storeLessons, lessonsDone } from "./progress";
import "./style.css";
import { words } from "./text";

export function LearnScreen(props: { route: Route }) {
  const [part, name] = props.route.rest;
  const players = name === undefined ? <PlayersScreen /> : <PlayerScreen name={name} />;
  const lesson = name === undefined ? <Overview /> : <LessonScreen key={name} id={name} />;
  return <div class="page stack">{part === "players" ? players : part === "tour" ? lesson : <Overview />}</div>;
}

function Overview() {
  const t = useText(words);
  return (
    <>
      <div>
        <h1>{t("title")}</h1>
        <p class="quiet">{t("intro")}</p>
      </div>
      <Tour />
      <Players />
    </>
  );
}

function Tour() {
  const t = useText(words);
  const [done, setDone] = useState(lessonsDone);
  const next = LESSONS.find(({ id }) => !done.has(id)) ?? LESSONS[0];
  const count = LESSONS.filter(({ id }) => done.has(id)).length;
  const restart = (): void => {
    storeLessons(new Set());
    setDone(new Set());
  };
  return (
    <Panel title={t("tour")} actions={<span class="quiet numbers">{t("progress", { done: count, total: LESSONS.length })}</span>}>
      <div class="row">
        {next !== undefined && (
          <a class="button button-main" href={href("learn", ["tour", next.id])}>
            {t(count === 0 || count === LESSONS.length ? "begin" : "go_on")}
          </a>
        )}
        {count > 0 && (
          <Button kind="quiet" onClick={restart}>{t("tour_again")}</Button>
        )}
      </div>
      <div class="learn-lists">
        <LessonList title={t("tour_tbs")} lessons={LESSONS.filter(({ game }) => game === "tbs")} done={done} />
        <LessonList title={t("tour_geister")} lessons={LESSONS.filter(({ game }) => game === "geister")} done={done} />
      </div>
    </Panel>
  );
}

function LessonList(props: { title: string; lessons: Lesson[]; done: Set<string> }) {
  const t = useText(words);
  const say = useText(lessonWords);
  return (
    <section>
      <h3>{props.title}</h3>
      <ol class="learn-list stack gap-1" start={props.lessons[0] === undefined ? 1 : lessonNumber(props.lessons[0])}>
        {props.lessons.map((lesson) => (
          <li key={lesson.id}>
            <a href={href("learn", ["tour", lesson.id])}>{say(`${lesson.id}_title` as LessonWords)}</a>
            {props.done.has(lesson.id) && <span class="learn-done"> ✓ {t("done_mark")}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Players() {
  const t = useText(words);
  return (
    <Panel title={t("players")}>
      <p class="quiet">{t("players_intro")}</p>
      <PlayerList level={3} />
    </Panel>
  );
}

function PlayersScreen() {
  const t = useText(words);
  return (
    <>
      <a href={href("learn")}>← {t("title")}</a>
      <div>
        <h1>{t("players")}</h1>
        <p class="quiet">{t("players_intro")}</p>
      </div>
      <PlayerList level={2} />
    </>
  );
}

function PlayerScreen(props: { name: string }) {
  const t = useText(words);
  useSubject(props.name);
  return (
    <>
      <a href={href("learn", ["players"])}>← {t("all_players")}</a>
      <PlayerPage name={props.name} />
    </>
  );
}

function LessonScreen(props: { id: string }) {
  const t = useText(words);
  const say = useText(lessonWords);
  const lesson = findLesson(props.id);
  useSubject(lesson === null ? "" : say(`${lesson.id}_title` as LessonWords));
  if (lesson === null)
    return (
      <>
        <h1>{t("title")}</h1>
        <Empty text={t("unknown_lesson")}>
          <a class="button" href={href("learn")}>{t("back")}</a>
        </Empty>
      </>
    );
  return (
    <>
      <div class="spread">
        <a href={href("learn")}>← {t("back")}</a>
        <h1 class="learn-count quiet numbers">{t("lesson_of", { number: lessonNumber(lesson), total: LESSONS.length })}</h1>
      </div>
      <LessonPage lesson={lesson} />
    </>
  );
}

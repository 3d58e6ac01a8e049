// SPDX-License-Identifier: MIT
//
// A lesson: a real game on a tiny board. The page checks the goal on the game state, and moves for simple opponents
// that only wait or attack; other opponents are AI players.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { api, withQuery } from "../api/client";
import type { NewSeat, NewLiveGame, NewLiveGameAnswer, LiveGame, TbsFacts } from "../api/types";
import { href } from "../app/route";
import { useText } from "../app/text";
import { shared, useShared } from "../common/data";
import { Button, ErrorNote, Panel, Waiting } from "../common/parts";
import { GeisterPlay } from "../play/geister_play";
import { Banner, SeatRow } from "../play/parts";
import { TbsPlay } from "../play/tbs_play";
import { usePace } from "../play/use_pace";
import { useLiveGame, type FollowedGame } from "../play/use_live_game";
import { answer, LESSONS, nextLesson, type Lesson, type Outcome } from "./lessons";
import { words as lessonWords, type LessonWords } from "./lessons_text";
import { lessonsDone, storeLessons } from "./progress";
import { words } from "./text";

interface Seat {
  id: string;
  keys: string;
}

function newLiveGame(lesson: Lesson): NewLiveGame {
  const opponent: NewSeat = typeof lesson.opponent === "object" ? { kind: "player", spec: lesson.opponent.spec } : { kind: "human" };
  return { ...lesson.start, seats: [{ kind: "human" }, opponent], seed: 7 };
}

/** A new game for the lesson; deleted when the lesson is closed. */
function useLessonGame(lesson: Lesson, attempt: number): { seat: Seat | null; error: unknown } {
  const [seat, setSeat] = useState<Seat | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let gone = false;
    let made: Seat | null = null;
    const remove = (): void => {
      if (made !== null) api.remove(withQuery(`/api/tables/${made.id}`, { key: made.keys })).catch(() => {});
    };
    const leave = (event: PageTransitionEvent): void => {
      if (!event.persisted) remove(); // a page in the browser's cache may come back
    };
    addEventListener("pagehide", leave);
    setSeat(null);
    setError(null);
    api.post<NewLiveGameAnswer>("/api/tables", newLiveGame(lesson)).then(
      ({ id, keys }) => {
        made = { id, keys: keys.filter((key) => key !== null).join(",") };
        if (gone) remove();
        else setSeat(made);
      },
      (problem: unknown) => gone || setError(problem),
    );
    return () => {
      gone = true;
      removeEventListener("pagehide", leave);
      remove();
    };
  }, [lesson.id, attempt]);
  return { seat, error };
}

export function LessonPage(props: { lesson: Lesson }) {
  const t = useText(words);
  const { lesson } = props;
  const [attempt, setAttempt] = useState(0);
  const facts = useShared(shared.tbs);
  const { seat, error } = useLessonGame(lesson, attempt);
  const again = (): void => setAttempt((n) => n + 1);
  if (facts.state === "failed") return <ErrorNote error={facts.error} retry={facts.retry} />;
  if (error !== null) return <ErrorNote error={error} retry={again} />;
  if (seat === null || facts.state === "waiting") return <Waiting text={t("loading")} height="40rem" />;
  return <LessonGame key={seat.id} lesson={lesson} seat={seat} facts={facts.value} onAgain={again} />;
}

function LessonGame(props: { lesson: Lesson; seat: Seat; facts: TbsFacts; onAgain: () => void }) {
  const t = useText(words);
  const live = useLiveGame(props.seat.id, props.seat.keys);
  if (live.liveGame === null)
    return live.error === null ? <Waiting text={t("loading")} height="40rem" /> : <ErrorNote error={live.error} retry={props.onAgain} />;
  return <LessonBoard {...props} live={live} liveGame={live.liveGame} />;
}

interface BoardProps {
  lesson: Lesson;
  live: FollowedGame;
  liveGame: LiveGame;
  facts: TbsFacts;
  onAgain: () => void;
}

/** The page's moves, a moment after the user's turn. */
function useOpponent(lesson: Lesson, live: FollowedGame, liveGame: LiveGame, stopped: boolean): void {
  const action = stopped || live.busy ? null : answer(lesson, liveGame);
  useEffect(() => {
    if (action !== null) live.send({ do: "action", action, ply: liveGame.steps.length });
  }, [action, liveGame.steps.length, live.busy]);
}

/** The page plays the other seat; the user plays the first. */
function forLearner(liveGame: LiveGame, opponent: string): LiveGame {
  const [mine, other] = liveGame.seats;
  return { ...liveGame, you: [0], seats: [mine, other.kind === "human" ? { ...other, name: opponent } : other] };
}

function LessonBoard({ lesson, live, liveGame, facts, onAgain }: BoardProps) {
  const t = useText(words);
  const [left, setLeft] = useState(0);
  const [attained, setAttained] = useState<Outcome>("open");
  const paced = usePace(liveGame, () => {}, [0]);
  const outcome = attained !== "open" ? attained : lesson.goal(liveGame);
  useEffect(() => setAttained(outcome), [outcome]); // a reached goal stays reached
  useEffect(() => {
    if (outcome === "done") storeLessons(lessonsDone().add(lesson.id));
  }, [outcome]);
  useOpponent(lesson, live, liveGame, outcome !== "open");

  const acting = outcome === "open" && !paced.behind && !live.busy && liveGame.mover === 0 && liveGame.actions !== null;
  const onAction = (action: string): void => live.send({ do: "action", action, ply: liveGame.steps.length });
  const one = useMemo((): LiveGame => forLearner(liveGame, t("opponent")), [liveGame, t("opponent")]);
  const mySeat = <SeatRow liveGame={one} side={0} receivedAt={live.receivedAt} paced={paced} />;
  return (
    <div class="learn-lesson">
      <div class="play-main stack gap-2">
        <SeatRow liveGame={one} side={1} receivedAt={live.receivedAt} paced={paced} />
        {paced.state.game === "tbs" && (
          <TbsPlay
            liveGame={one}
            state={paced.state}
            lastTurn={paced.last !== null && paced.last.side === 1 ? [paced.last] : []}
            acting={acting}
            hint={null}
            danger={false}
            onAction={onAction}
            onReady={setLeft}
            seat={mySeat}
            {...(lesson.marks === undefined ? {} : { goal: lesson.marks })}
          />
        )}
        {paced.state.game === "geister" && (
          <GeisterPlay
            liveGame={one}
            state={paced.state}
            last={paced.last}
            acting={acting}
            from={0}
            hint={null}
            suggested={null}
            onAction={onAction}
            seat={mySeat}
          />
        )}
      </div>
      <div class="learn-words">
        <LessonWords lesson={lesson} facts={facts} />
      </div>
      <div class="play-side learn-rest">
        {outcome === "open" || paced.behind ? (
          <Banner live={{ ...live, liveGame: one }} paced={paced} left={left} acting={acting} />
        ) : (
          <LessonEnd lesson={lesson} outcome={outcome} onAgain={onAgain} />
        )}
        <LessonButtons lesson={lesson} live={live} acting={acting} onAction={onAction} onAgain={onAgain} />
      </div>
    </div>
  );
}

function LessonWords(props: { lesson: Lesson; facts: TbsFacts }) {
  const t = useText(words);
  const say = useText(lessonWords);
  const { lesson } = props;
  const [hint, setHint] = useState(false);
  const figures = lesson.figures(props.facts);
  const tell = (part: "title" | "text" | "goal" | "hint"): string => say(`${lesson.id}_${part}` as LessonWords, figures);
  return (
    <Panel title={tell("title")}>
      <p>{tell("text")}</p>
      <p class="learn-goal">
        <strong>{t("goal")}</strong> {tell("goal")}
      </p>
      <div>
        <Button pressed={hint} hotkey="h" onClick={() => setHint(!hint)}>{t("hint")}</Button>
      </div>
      {hint && <p class="note">{tell("hint")}</p>}
    </Panel>
  );
}

function LessonButtons(props: {
  lesson: Lesson;
  live: FollowedGame;
  acting: boolean;
  onAction: (action: string) => void;
  onAgain: () => void;
}) {
  const t = useText(words);
  const { live } = props;
  return (
    <div class="row">
      {props.lesson.game === "tbs" && (
        <>
          <Button hotkey="e" disabled={!props.acting} onClick={() => props.onAction("pass")}>
            {t("end_turn")}
          </Button>
          <Button hotkey="u" disabled={!props.acting || !(live.liveGame?.may.undo ?? false)} onClick={() => live.send({ do: "undo" })}>
            {t("undo")}
          </Button>
        </>
      )}
      <Button kind="quiet" onClick={props.onAgain}>{t("again")}</Button>
    </div>
  );
}

function LessonEnd(props: { lesson: Lesson; outcome: Outcome; onAgain: () => void }) {
  const t = useText(words);
  const next = nextLesson(props.lesson.id);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), []); // on a phone it is below the board
  return (
    <div class="learn-end stack gap-2" role="status" ref={box}>
      {props.outcome === "done" && (
        <>
          <p class="learn-praise">{t("well_done")}</p>
          {next === null && <p>{t("finished")}</p>}
          <div class="row">
            {next === null ? (
              <a class="button button-main" href={href("play")}>{t("play_now")}</a>
            ) : (
              <a class="button button-main" href={href("learn", ["tour", next.id])}>{t("next")}</a>
            )}
          </div>
        </>
      )}
      {props.outcome === "failed" && (
        <>
          <p class="learn-praise">{t("failed")}</p>
          <p>{t("failed_text")}</p>
          <Button kind="main" onClick={props.onAgain}>{t("again")}</Button>
        </>
      )}
    </div>
  );
}

export const lessonNumber = (lesson: Lesson): number => LESSONS.indexOf(lesson) + 1;

// SPDX-License-Identifier: MIT
//
// The steps of a participant, one after the other, and how to leave.

import { useEffect, useState } from "preact/hooks";

import type { Study, StudyGame } from "../api/types";
import { useLanguage, useText } from "../app/text";
import { useArrival } from "../common/arrival";
import { Button } from "../common/parts";
import { Dialog } from "../common/dialog";
import { Closing, Erased, Thanks, useErase } from "./closing";
import { GameStep, StartStep } from "./game";
import { HELD_NOTHING, isExtra, placeOf, stepOf, turnOf, type Held, type Link, type Step } from "./logic";
import { Notes, ProgressLine } from "./parts";
import { RateStep } from "./rate";
import { words, type T } from "./text";
import type { FollowedStudy } from "./use_study";
import { Welcome } from "./welcome";

/** "Map 2 of 6, game 1 of 2" */
function titleOf(study: Study, step: Step, t: T): string {
  const at = (map: number) => ({ map: map + 1, maps: study.maps.length });
  if (step.show === "rate") return t("at_questions", at(step.map));
  if (step.show === "closing") return t("at_closing");
  if (step.show === "welcome" || step.show === "thanks") return t("at_end");
  const { map, side, game } = step.show === "game" ? step.game : step;
  const of = study.maps[map];
  if (of === undefined || isExtra({ game })) return t("at_extra", at(map));
  return t("at_game", { ...at(map), game: turnOf(of, side) });
}

export function Session(props: { live: FollowedStudy; study: Study; link: Link }) {
  const t = useText(words);
  useLanguage();
  const { live, study, link } = props;
  const [held, setHeld] = useState<Held>(HELD_NOTHING);
  const [attempt, setAttempt] = useState(0); // games that were started here
  const step = stepOf(study, held);
  const main = useArrival(placeOf(step));
  const erase = useErase(live, study);
  const key = "participant" in link ? link.participant : "";
  const shownGame = step.show === "game" ? step.game.id : null;
  useEffect(() => {
    if (shownGame !== null) setHeld((before) => ({ ...before, game: shownGame })); // until its end was read
  }, [shownGame]);
  const letGo = async (): Promise<void> => {
    await live.read();
    setHeld(HELD_NOTHING);
  };
  const play = async (game: Pick<StudyGame, "map" | "side" | "game">): Promise<void> => {
    const { map, side } = game;
    const begun = await live.change<StudyGame>("/api/study/game", { participant: key, map, side, game: game.game });
    if (begun === null) return;
    setAttempt((n) => n + 1);
    await live.read();
    setHeld({ game: begun.id, map: null });
  };

  if (erase.isDone) return <main class="page study stack"><Erased /></main>;
  const title = titleOf(study, step, t);
  const wide = step.show === "game" ? "study-wide" : "";
  return (
    <main class={`page study stack ${wide}`} tabIndex={-1} ref={main}>
      {step.show !== "welcome" && <ProgressLine study={study} title={title} />}
      <Notes live={live} />
      {step.show === "welcome" && <Welcome live={live} study={study} link={link} />}
      {step.show === "start" && <StartStep key={placeOf(step)} study={study} step={step} busy={live.busy} onStart={() => void play(step)} />}
      {step.show === "game" && (
        <GameStep
          key={`${placeOf(step)} ${attempt}`}
          game={step.game}
          title={title}
          busy={live.busy}
          onEnd={() => void live.read()}
          onContinue={() => void letGo()}
          onAgain={() => void play(step.game)}
        />
      )}
      {step.show === "rate" && (
        <RateStep key={placeOf(step)} live={live} study={study} map={step.map} participant={key} onPlay={(game) => void play(game)} onDone={() => setHeld(HELD_NOTHING)} />
      )}
      {step.show === "closing" && <Closing live={live} study={study} participant={key} onChange={(map) => setHeld({ game: null, map })} />}
      {step.show === "thanks" && <Thanks study={study} onErase={erase.ask} />}
      {step.show !== "welcome" && step.show !== "thanks" && <Leave onErase={erase.ask} />}
      {erase.question}
    </main>
  );
}

function Leave(props: { onErase: () => void }) {
  const t = useText(words);
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <div class="study-leave">
      <Button kind="quiet" onClick={() => setOpen(true)}>{t("leave")}</Button>
      {open && (
        <Dialog
          title={t("leave")}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{t("close")}</Button>
              <Button kind="danger" onClick={() => (close(), props.onErase())}>{t("erase")}</Button>
            </>
          }
        >
          <p>{t("leave_text")}</p>
        </Dialog>
      )}
    </div>
  );
}

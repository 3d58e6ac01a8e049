// SPDX-License-Identifier: MIT
//
// The end: all answers once more, a word about the whole study, thanks, and one's own data.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { api, withQuery } from "../api/client";
import type { LiveGame, Study } from "../api/types";
import { useLanguage, useText } from "../app/text";
import { Button, Panel } from "../common/parts";
import { Question } from "../common/question";
import { saveText } from "../maps/files";
import { cleaned, draftOf, dropDraft, forget, keepDraft, lengthOf, ownData, textIn } from "./logic";
import { Comment } from "./parts";
import { MapSketch } from "./rate";
import { words } from "./text";
import type { FollowedStudy } from "./use_study";

export function Closing(props: { live: FollowedStudy; study: Study; participant: string; onChange: (map: number) => void }) {
  const t = useText(words);
  const { live, study, participant } = props;
  const [comment, setComment] = useState(() => draftOf(participant, "closing", { ratings: {}, comment: study.comment }).comment);
  const write = (text: string): void => {
    setComment(text);
    keepDraft(participant, "closing", { ratings: {}, comment: text });
  };
  const finish = async (): Promise<void> => {
    if ((await live.change("/api/study/finish", { participant, comment: cleaned(comment) })) !== null) dropDraft(participant, "closing");
  };
  const isLong = lengthOf(comment) > study.comment_max;
  return (
    <>
      <h1>{t("closing_title")}</h1>
      <p>{t("closing_text")}</p>
      <Answered study={study} onChange={props.onChange} />
      <Comment label={t("comment_study")} value={comment} max={study.comment_max} onChange={write} />
      <div>
        <Button kind="main" disabled={live.busy || isLong} onClick={() => void finish()}>{t(live.busy ? "saving" : "finish")}</Button>
      </div>
    </>
  );
}

function Answered(props: { study: Study; onChange: (map: number) => void }) {
  const t = useText(words);
  const at = useLanguage();
  const { study } = props;
  const maps = study.maps.length;
  return (
    <Panel title={t("your_answers")}>
      <ul class="study-answers list">
        {study.maps.map((one) => (
          <li key={one.map}>
            <MapSketch of={one} label={t("on_map", { map: one.map + 1, maps })} />
            <div class="stack gap-1">
              <strong>{t("on_map", { map: one.map + 1, maps })}</strong>
              {study.questions.map(({ id, text }) => (
                <span key={id} class="study-rating small">
                  <span>{textIn(text, at)}</span>
                  <strong class="numbers">{t("rated", { value: one.ratings[id] ?? "", high: study.scale[1] })}</strong>
                </span>
              ))}
              {one.comment !== "" && <span class="quiet small study-said">{one.comment}</span>}
              <div>
                <Button label={t("change", { map: one.map + 1 })} onClick={() => props.onChange(one.map)}>{t("change_short")}</Button>
              </div>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

// ---- one's own data ----

/** The games of a participant; one that cannot be read is left out. */
async function ownGames(study: Study): Promise<LiveGame[]> {
  const games = study.maps.flatMap((map) => map.games);
  const read = ({ id, key }: { id: string; key: string }) => api.get<LiveGame>(withQuery(`/api/tables/${encodeURIComponent(id)}`, { key })).catch(() => null);
  return (await Promise.all(games.map(read))).filter((game) => game !== null);
}

export function Thanks(props: { study: Study; onErase: () => void }) {
  const t = useText(words);
  const at = useLanguage();
  const { study } = props;
  const save = async (): Promise<void> => saveText(ownData(study, await ownGames(study), at), "study.json");
  return (
    <>
      <h1>{t("thanks_title")}</h1>
      <p>{t("thanks_text")}</p>
      <Panel title={t("data_title")}>
        <p>{t("data_text")}</p>
        <div class="row">
          <Button onClick={() => void save()}>{t("download")}</Button>
          <Button kind="danger" onClick={props.onErase}>{t("erase")}</Button>
        </div>
      </Panel>
    </>
  );
}

export function Erased() {
  const t = useText(words);
  return (
    <>
      <h1>{t("erased_title")}</h1>
      <p role="status">{t("erased_text")}</p>
    </>
  );
}

/** Erases everything of a participant, after a question. */
export function useErase(live: FollowedStudy, study: Study): { isDone: boolean; ask: () => void; question: ComponentChildren } {
  const t = useText(words);
  const [state, setState] = useState<"no" | "asked" | "done">("no");
  const { key } = study;
  const erase = async (): Promise<void> => {
    setState("no");
    if (key === undefined || (await live.change("/api/study/erase", { participant: key })) === null) return;
    forget(key);
    setState("done");
  };
  const question = state === "asked" && (
    <Question title={t("erase_title")} text={t("erase_text")} yes={t("erase_yes")} no={t("erase_no")} danger onYes={() => void erase()} onNo={() => setState("no")} />
  );
  return { isDone: state === "done", ask: () => setState("asked"), question };
}

// SPDX-License-Identifier: MIT
//
// Parts of the steps: what went wrong, how far it is, the scale, free text.

import { useId } from "preact/hooks";

import { ApiError } from "../api/client";
import type { MapQuestion, Study } from "../api/types";
import { useLanguage, useText } from "../app/text";
import { errorText } from "../common/errors";
import { lengthOf, progressOf, textIn, valuesOf } from "./logic";
import { words } from "./text";
import type { FollowedStudy } from "./use_study";

/** What went wrong, as a sentence for participants. */
export function Trouble(props: { error: unknown }) {
  const t = useText(words);
  const at = useLanguage();
  const { error } = props;
  const text = error instanceof ApiError && error.status === 0 ? t("unsent") : t("server_says", { reason: errorText(error, at) });
  return <p class="note note-error" role="alert">{text}</p>;
}

const OUTRUN = ["refused.study_order", "refused.study_game", "refused.study_finished"];

/** About the connection and the last change; its place is above the step. */
export function Notes(props: { live: FollowedStudy }) {
  const t = useText(words);
  const { lost, refused } = props.live;
  const code = refused instanceof ApiError ? refused.failure?.code : undefined;
  if (lost) return <p class="note note-error" role="alert">{t("offline")}</p>;
  if (refused === null) return null;
  if (code !== undefined && OUTRUN.includes(code)) return <p class="note" role="status">{t("went_on")}</p>;
  return <Trouble error={refused} />;
}

export function ProgressLine(props: { study: Study; title: string }) {
  const t = useText(words);
  const { done, all } = progressOf(props.study);
  const text = t("done_of", { done, all });
  return (
    <div class="study-progress">
      <p class="small numbers"><strong>{props.title}</strong></p>
      <progress value={done} max={all} aria-label={`${t("progress")}: ${text}`} />
      <p class="quiet small numbers" aria-hidden="true">{text}</p>
    </div>
  );
}

/** One question on the scale; the ends say what they mean. */
export function Scale(props: {
  question: MapQuestion;
  scale: Study["scale"];
  value: number | undefined;
  problem: boolean; // an answer is missing
  onChange: (value: number) => void;
}) {
  const t = useText(words);
  const at = useLanguage();
  const id = useId();
  const { question, scale } = props;
  const [low, high] = [textIn(question.low, at), textIn(question.high, at)];
  const labelOf = (value: number): string => {
    const end = value === scale[0] ? low : value === scale[1] ? high : "";
    return end === "" ? String(value) : t("option", { value, text: end });
  };
  return (
    <fieldset class="study-question" id={`question-${question.id}`} aria-describedby={props.problem ? `${id}p` : undefined}>
      <legend>{textIn(question.text, at)}</legend>
      <div class="study-scale">
        <span class="study-low small" aria-hidden="true">{low}</span>
        <div class="study-values">
          {valuesOf(scale).map((value) => (
            <label key={value} class="study-value">
              <input
                type="radio"
                name={`${id}q`}
                aria-label={labelOf(value)}
                checked={props.value === value}
                onChange={() => props.onChange(value)}
              />
              <span class="numbers" aria-hidden="true">{value}</span>
            </label>
          ))}
        </div>
        <span class="study-high small" aria-hidden="true">{high}</span>
      </div>
      {props.problem && <p class="field-error small" id={`${id}p`} role="alert">{t("missing")}</p>}
    </fieldset>
  );
}

/** Free text, with the number of characters that are left. */
export function Comment(props: { label: string; value: string; max: number; onChange: (value: string) => void }) {
  const t = useText(words);
  const id = useId();
  const left = props.max - lengthOf(props.value);
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {props.label} <span class="quiet study-optional">{t("optional")}</span>
      </label>
      <textarea
        id={id}
        rows={4}
        value={props.value}
        aria-describedby={`${id}n`}
        aria-invalid={left < 0}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      <span id={`${id}n`} class={`small numbers ${left < 0 ? "field-error" : "quiet"}`}>
        {left < 0 ? t("characters_over", { over: -left }) : t("characters_left", { left, max: props.max })}
      </span>
    </div>
  );
}

// SPDX-License-Identifier: MIT
//
// The bar below the board: play and pause, forth and back, the slider, the speed; and the keys for all of it.

import { useEffect } from "preact/hooks";

import { useText } from "../app/text";
import { isFor } from "../common/keys";
import { Button, Select } from "../common/parts";
import { keyEvent, type Playback, type PlaybackEvent, paceMs, isWaiting, speeds } from "./playback";
import { words } from "./text";

type Dispatch = (event: PlaybackEvent) => void;

/** One timer until the next position is due; none while nothing can change. */
export function usePlaybackClock(p: Playback, dispatch: Dispatch): void {
  useEffect(() => {
    if (!p.playing || p.speed === "live") return undefined;
    const left = Math.max(0, paceMs / p.speed - p.waited);
    if (isWaiting(p) && left === 0) return undefined;
    const began = performance.now();
    const timer = setTimeout(() => dispatch({ kind: "tick", ms: Math.max(left, performance.now() - began) }), left);
    return () => clearTimeout(timer);
  }, [p]);
}

/** The keys of this screen; text fields and a focused board keep theirs. */
export function usePlaybackKeys(turns: number[], dispatch: Dispatch): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const wanted = keyEvent(event.key, event.shiftKey, turns);
      if (wanted === null || !isFor(event, event.key) || document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      dispatch(wanted);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [turns, dispatch]);
}

/** Signs drawn as paths: the same in every font. */
const signs = {
  start: "M3 2h2v12H3zM14 2v12L6 8z",
  turnBack: "M8 2v12L1 8zM15 2v12L8 8z",
  back: "M12 2v12L4 8z",
  play: "M4 2v12l9-6z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
  forth: "M4 2v12l8-6z",
  turnForth: "M1 2v12l7-6zM8 2v12l7-6z",
  end: "M2 2v12l8-6zM11 2h2v12h-2z",
};

function Sign(props: { name: keyof typeof signs }) {
  return (
    <svg class="watch-sign" viewBox="0 0 16 16" aria-hidden="true">
      <path d={signs[props.name]} />
    </svg>
  );
}

function StepButtons(props: { p: Playback; turns: number[]; dispatch: Dispatch }) {
  const t = useText(words);
  const { p, turns, dispatch } = props;
  const atStart = p.shown === 0;
  const atEnd = p.shown === p.count;
  return (
    <div class="watch-buttons" role="group" aria-label={t("position")}>
      <Button kind="quiet" label={t("to_start")} disabled={atStart} onClick={() => dispatch({ kind: "seek", to: 0 })}>
        <Sign name="start" />
      </Button>
      <Button kind="quiet" label={t("turn_back")} disabled={atStart} onClick={() => dispatch({ kind: "turn", by: -1, turns })}>
        <Sign name="turnBack" />
      </Button>
      <Button kind="quiet" label={t("back")} disabled={atStart} onClick={() => dispatch({ kind: "step", by: -1 })}>
        <Sign name="back" />
      </Button>
      <Button kind="main" label={t(p.playing ? "pause" : "play")} onClick={() => dispatch({ kind: "toggle" })}>
        <Sign name={p.playing ? "pause" : "play"} />
      </Button>
      <Button kind="quiet" label={t("forth")} disabled={atEnd} onClick={() => dispatch({ kind: "step", by: 1 })}>
        <Sign name="forth" />
      </Button>
      <Button kind="quiet" label={t("turn_forth")} disabled={atEnd} onClick={() => dispatch({ kind: "turn", by: 1, turns })}>
        <Sign name="turnForth" />
      </Button>
      <Button kind="quiet" label={t("to_end")} disabled={atEnd} onClick={() => dispatch({ kind: "seek", to: p.count })}>
        <Sign name="end" />
      </Button>
    </div>
  );
}

export function Controls(props: { p: Playback; turns: number[]; dispatch: Dispatch }) {
  const t = useText(words);
  const { p, dispatch } = props;
  const description = t("position_of", { shown: p.shown, count: p.count });
  const options = speeds.map((speed) => ({ value: String(speed), label: speed === "live" ? t("live") : `${speed}×` }));
  return (
    <div class="stack gap-2">
      <div class="watch-slider">
        <input
          type="range"
          min={0}
          max={Math.max(1, p.count)}
          disabled={p.count === 0}
          value={p.shown}
          aria-label={t("position")}
          aria-valuetext={description}
          onInput={(event) => dispatch({ kind: "seek", to: Number(event.currentTarget.value) })}
        />
        <span class="watch-count quiet small numbers">{description}</span>
      </div>
      <div class="spread gap-2">
        <StepButtons {...props} />
        <div class="watch-speed">
          <Select
            label={t("speed")}
            value={String(p.speed)}
            options={options}
            onChange={(value) => dispatch({ kind: "speed", to: speeds.find((speed) => String(speed) === value) ?? 1 })}
          />
        </div>
      </div>
      <p class="small quiet watch-keys">{t("keys")}</p>
    </div>
  );
}

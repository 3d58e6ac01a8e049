// SPDX-License-Identifier: MIT
//
// Shared components of all screens.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";

import { ApiError } from "../api/client";
import type { JobInfo, Progress, Share, Side } from "../api/types";
import { duration, number, percent } from "../app/format";
import { useLanguage, useText, type Language, type Say } from "../app/text";
import { errorText } from "./errors";
import { keySign, useHotkey } from "./keys";
import { wordsOf } from "./messages";
import "./style.css";
import { words } from "./text";

export { Checkbox, Field, NumberField, NumberInput, Select, SelectField, TextField, TextInput } from "./inputs";

export function Panel(props: { title: string; children: ComponentChildren; actions?: ComponentChildren; level?: 2 | 3 }) {
  const id = useId();
  const Heading = props.level === 3 ? "h3" : "h2";
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="panel-head spread gap-2">
        <Heading id={id}>{props.title}</Heading>
        {props.actions !== undefined && <div class="row">{props.actions}</div>}
      </div>
      {props.children}
    </section>
  );
}

export function Button(props: {
  children: ComponentChildren;
  onClick: () => void;
  kind?: "main" | "plain" | "danger" | "quiet";
  disabled?: boolean;
  pressed?: boolean; // a toggle
  label?: string; // for screen readers, if the content is an icon
  hotkey?: string; // shown and handled: "u", "ArrowLeft"
}) {
  const disabled = props.disabled ?? false;
  useHotkey(props.hotkey, props.onClick, !disabled);
  return (
    <button
      type="button"
      class={`button button-${props.kind ?? "plain"}`}
      disabled={disabled}
      aria-pressed={props.pressed}
      aria-label={props.label}
      title={props.label}
      aria-keyshortcuts={props.hotkey === " " ? "Space" : props.hotkey}
      onClick={props.onClick}
    >
      {props.children}
      {props.hotkey !== undefined && <kbd aria-hidden="true">{keySign(props.hotkey)}</kbd>}
    </button>
  );
}

function sentence(error: unknown, t: Say<keyof typeof words>, at: Language): string {
  if (error instanceof ApiError && error.status === 0) return t("offline");
  return errorText(error, at);
}

/** An error message, and what to do. */
export function ErrorNote(props: { error: unknown; retry?: () => void }) {
  const t = useText(words);
  const at = useLanguage();
  return (
    <div class="note note-error" role="alert">
      <strong>{t("error")}</strong>
      <p>{sentence(props.error, t, at)}</p>
      {props.retry !== undefined && <Button onClick={props.retry}>{t("retry")}</Button>}
    </div>
  );
}

/** The server could not save the last moves; it retries automatically. */
export function UnsavedNote(props: { unsaved: string | null | undefined }) {
  const t = useText(words);
  if (props.unsaved === null || props.unsaved === undefined) return null;
  return <p class="note note-error" role="alert">{t("unsaved", { reason: props.unsaved })}</p>;
}

/** An empty list: what to do. */
export function Empty(props: { text: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{props.text}</p>
      {props.children}
    </div>
  );
}

/** A loading message; reserves the space of the content. */
export function Waiting(props: { text: string; height?: string }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null) box.current.style.minHeight = props.height ?? "";
  }, [props.height]);
  return <div class="waiting" role="status" ref={box}>{props.text}</div>;
}

/** Seconds since the last progress report of a running job: the next one may be minutes away. */
function useSecondsSince(report: unknown, goesOn: boolean): number {
  const [since, setSince] = useState({ report, seconds: 0 });
  useEffect(() => {
    if (!goesOn) return undefined;
    const start = performance.now();
    const timer = setInterval(() => setSince({ report, seconds: (performance.now() - start) / 1000 }), 1000);
    return () => clearInterval(timer);
  }, [report, goesOn]);
  return goesOn && since.report === report ? since.seconds : 0; // a new report starts from zero
}

function progressWords(progress: Progress, state: JobInfo["state"], t: Say<keyof typeof words>, at: Language): string {
  const done = number(progress.done);
  const count =
    progress.total === null ? t(progress.unit, { done }) : t(`${progress.unit}_of`, { done, total: number(progress.total) });
  const worked = duration(progress.seconds);
  const states = {
    queued: [t("queued")],
    running: [count, t("worked", { time: worked }), ...(progress.left === null ? [] : [t("left", { time: duration(progress.left) })])],
    done: [t("finished"), count, t("took", { time: worked })],
    failed: [t("failed"), count],
    cancelled: [t("cancelled"), count],
  };
  const stage = state === "running" ? wordsOf(progress.note, progress.note_message, words, at) : "";
  return [...states[state], ...(stage === "" ? [] : [stage])].join(" · ");
}

export function ProgressBar(props: { progress: Progress; state: JobInfo["state"] }) {
  const t = useText(words);
  const { done, total } = props.progress;
  const since = useSecondsSince(props.progress, props.state === "running");
  const text = progressWords({ ...props.progress, seconds: props.progress.seconds + since }, props.state, t, useLanguage());
  const known = total !== null ? { value: Math.min(done, total), max: Math.max(1, total) } : {};
  const resting = props.state !== "running" && total === null ? { value: props.state === "done" ? 1 : 0, max: 1 } : {};
  return (
    <div class="progress" data-state={props.state}>
      <progress {...known} {...resting} aria-label={text} />
      <span class="progress-words quiet small numbers">{text}</span>
    </div>
  );
}

/** A number between 0 and 1 as per cent, with its interval as a bar and in words. */
export function ShareBar(props: { share: Share; label: string; centre?: number }) {
  const t = useText(words);
  const { value, low, high, games } = props.share;
  const centre = 100 * (props.centre ?? 0.5);
  const text = t("interval", { low: percent(low), high: percent(high), games: number(games) });
  return (
    <div class="share">
      <span>{props.label}</span>
      <span class="share-value numbers">{games === 0 ? "–" : percent(value)}</span>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="share-track" width="100" height="8" rx="0.4" />
        {games > 0 && <rect class="share-interval" x={100 * low} width={100 * Math.max(0.002, high - low)} height="8" />}
        <line class="share-centre" x1={centre} x2={centre} y1="0" y2="8" />
        {games > 0 && <line class="share-point" x1={100 * value} x2={100 * value} y1="0" y2="8" />}
      </svg>
      <span class="share-words quiet small numbers">{games === 0 ? t("no_games") : text}</span>
    </div>
  );
}

/** The tab that a key leads to; null: other keys. */
export function tabAfter(key: string, at: number, count: number): number | null {
  const steps: Record<string, number> = {
    ArrowRight: (at + 1) % count,
    ArrowLeft: (at + count - 1) % count,
    Home: 0,
    End: count - 1,
  };
  return steps[key] ?? null;
}

export function Tabs<Name extends string>(props: {
  tabs: { name: Name; label: string }[];
  chosen: Name;
  onChoose: (name: Name) => void;
  label: string;
}) {
  const list = useRef<HTMLDivElement>(null);
  const press = (event: KeyboardEvent) => {
    const at = props.tabs.findIndex((tab) => tab.name === props.chosen);
    const next = tabAfter(event.key, at, props.tabs.length);
    const tab = next === null ? undefined : props.tabs[next];
    if (next === null || tab === undefined) return;
    event.preventDefault();
    props.onChoose(tab.name);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={props.label} ref={list} onKeyDown={press}>
      {props.tabs.map((tab) => (
        <button
          key={tab.name}
          type="button"
          role="tab"
          class="tab"
          aria-selected={tab.name === props.chosen}
          tabIndex={tab.name === props.chosen ? 0 : -1}
          onClick={() => props.onChoose(tab.name)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}

/** The symbol of a side (disc or square) with a text. `plain` for Geister, where colours are those of ghosts. */
export function SideMark(props: { side: Side; children?: ComponentChildren; plain?: boolean }) {
  return (
    <span class={`side ${props.plain ? "side-plain" : `side-${props.side}`}`}>
      <svg viewBox="0 0 10 10" aria-hidden="true">
        {props.side === 0 ? <circle cx="5" cy="5" r="5" /> : <rect x="0.5" y="0.5" width="9" height="9" rx="1" />}
      </svg>
      {props.children}
    </span>
  );
}

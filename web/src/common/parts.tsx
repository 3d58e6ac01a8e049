// SPDX-License-Identifier: MIT
//
// The small parts every screen is made of. One place, one look.

import type { ComponentChildren } from "preact";

import type { JobInfo, Progress, Share } from "../api/types";

export function Panel(_: { title: string; children: ComponentChildren; actions?: ComponentChildren; level?: 2 | 3 }) {
  return null;
}

export function Button(_: {
  children: ComponentChildren;
  onClick: () => void;
  kind?: "main" | "plain" | "danger" | "quiet";
  disabled?: boolean;
  pressed?: boolean; // a toggle
  label?: string; // for screen readers, where the content is a sign
  hotkey?: string; // shown and handled: "u", "ArrowLeft"
}) {
  return null;
}

/** Something went wrong: the sentence, and what can be done. */
export function ErrorNote(_: { error: unknown; retry?: () => void }) {
  return null;
}

/** Nothing is here yet: says what to do. */
export function Empty(_: { text: string; children?: ComponentChildren }) {
  return null;
}

/** Waiting, in words; keeps the room that what comes will need. */
export function Waiting(_: { text: string; height?: string }) {
  return null;
}

export function ProgressBar(_: { progress: Progress; state: JobInfo["state"] }) {
  return null;
}

/** A number between 0 and 1 as per cent, with its interval as a bar and in words. */
export function ShareBar(_: { share: Share; label: string; centre?: number }) {
  return null;
}

export function Tabs<Name extends string>(_: {
  tabs: { name: Name; label: string }[];
  chosen: Name;
  onChoose: (name: Name) => void;
  label: string;
}) {
  return null;
}

export function Field(_: { label: string; help?: string; error?: string; children: ComponentChildren }) {
  return null;
}

export function NumberInput(_: {
  value: number;
  onChange: (value: number) => void;
  low?: number;
  high?: number;
  step?: number;
  label: string;
}) {
  return null;
}

export function Select<Value extends string>(_: {
  value: Value;
  options: { value: Value; label: string }[];
  onChange: (value: Value) => void;
  label: string;
}) {
  return null;
}

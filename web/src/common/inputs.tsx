// SPDX-License-Identifier: MIT
//
// Form fields.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

import { useText } from "../app/text";
import "./style.css";
import { words } from "./text";

interface FieldProps {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
}

export function Field(props: FieldProps & { children: ComponentChildren }) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const focusFirst = () => box.current?.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
  return (
    <div class="field" role="group" aria-labelledby={`${id}l`} aria-describedby={`${id}h`} ref={box}>
      <span class="field-label small" id={`${id}l`} onClick={focusFirst}>{props.label}</span>
      {props.children}
      <span class="visually-hidden" id={`${id}h`}>{props.error ?? props.help ?? ""}</span>
      {props.error !== undefined && props.error !== "" ? (
        <span class="field-error small" role="alert">{props.error}</span>
      ) : (
        props.help !== undefined && (
          <span class="quiet small" aria-hidden="true">{props.help}</span>
        )
      )}
    </div>
  );
}

/** Parses the input; null if it is not a number in the range. */
export function readNumber(text: string, low: number, high: number, step: number): number | null {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < low || value > high) return null;
  return Number.isInteger(step) && !Number.isInteger(value) ? null : value;
}

interface NumberProps {
  value: number;
  onChange: (value: number) => void;
  low?: number;
  high?: number;
  step?: number;
  label: string;
}

/** Reports only valid numbers; the typed text is kept until then. */
export function NumberInput(props: NumberProps) {
  const t = useText(words);
  const [text, setText] = useState(String(props.value));
  const low = props.low ?? -Infinity;
  const high = props.high ?? Infinity;
  const step = props.step ?? 1;
  const read = (typed: string) => readNumber(typed, low, high, step);
  useEffect(() => {
    if (read(text) !== props.value) setText(String(props.value));
  }, [props.value]);

  const isWrong = read(text) === null;
  const isBounded = Number.isFinite(low) && Number.isFinite(high);
  const complaint = isBounded ? t("out_of_range", { low, high }) : t("not_a_number");
  return (
    <>
      <input
        class="number-input numbers"
        type="number"
        inputMode={Number.isInteger(step) ? "numeric" : "decimal"}
        aria-label={props.label}
        aria-invalid={isWrong}
        min={props.low}
        max={props.high}
        step={Number.isInteger(step) ? step : "any"}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          const value = read(event.currentTarget.value);
          if (value !== null && value !== props.value) props.onChange(value);
        }}
        onBlur={() => isWrong && setText(String(props.value))}
      />
      {isWrong && (
        <span class="field-error small" role="status">{complaint}</span>
      )}
    </>
  );
}

export function NumberField({ help, error, ...input }: FieldProps & NumberProps) {
  return (
    <Field label={input.label} help={help} error={error}>
      <NumberInput {...input} />
    </Field>
  );
}

interface SelectProps<Value extends string> {
  value: Value;
  options: { value: Value; label: string }[];
  onChange: (value: Value) => void;
  label: string;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  return (
    <select aria-label={props.label} value={props.value} onChange={(event) => props.onChange(event.currentTarget.value as Value)}>
      {props.options.map((option) => (
        <option key={option.value} value={option.value}>{option.label}</option>
      ))}
    </select>
  );
}

export function SelectField<Value extends string>({ help, error, ...input }: FieldProps & SelectProps<Value>) {
  return (
    <Field label={input.label} help={help} error={error}>
      <Select {...input} />
    </Field>
  );
}

interface TextProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  placeholder?: string;
  invalid?: boolean;
  search?: boolean;
}

export function TextInput(props: TextProps) {
  return (
    <input
      type={props.search ? "search" : "text"}
      aria-label={props.label}
      aria-invalid={props.invalid ?? false}
      placeholder={props.placeholder}
      value={props.value}
      autoComplete="off"
      spellcheck={false}
      onInput={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

export function TextField({ help, error, ...input }: FieldProps & TextProps) {
  return (
    <Field label={input.label} help={help} error={error}>
      <TextInput {...input} />
    </Field>
  );
}

export function Checkbox(props: { checked: boolean; onChange: (checked: boolean) => void; label: string; disabled?: boolean }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.checked}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  );
}

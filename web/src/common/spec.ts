// SPDX-License-Identifier: MIT
//
// Spec strings, "name:key=value,key=value", the way players and games are named everywhere. A part without '=' goes on
// with the value before it ("values=A:100,F:1"); a spec as a value stands in brackets ("player=[dlmc:turns=50]").

export interface Spec {
  name: string;
  options: Record<string, string>;
}

function splitOutside(text: string, mark: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const sign of text) {
    if (sign === "[") depth++;
    if (sign === "]") depth--;
    if (sign === mark && depth === 0) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts;
}

function bare(value: string): string {
  return value.startsWith("[") && value.endsWith("]") ? value.slice(1, -1) : value;
}

/** What must stand in brackets so that it is read as one value again. */
function dressed(value: string): string {
  const isList = value.split(",").slice(1).every((part) => !part.includes("="));
  return (value.includes("=") || !isList) && value !== "" ? `[${value}]` : value;
}

export function readSpec(text: string): Spec {
  const colon = text.indexOf(":");
  if (colon < 0) return { name: text.trim(), options: {} };
  const options: Record<string, string> = {};
  let last = "";
  for (const part of splitOutside(text.slice(colon + 1), ",")) {
    const equals = splitOutside(part, "=");
    if (equals.length > 1) {
      last = (equals[0] ?? "").trim();
      options[last] = equals.slice(1).join("=");
    } else if (last !== "") options[last] += `,${part}`;
  }
  for (const key of Object.keys(options)) options[key] = bare(options[key] ?? "");
  return { name: text.slice(0, colon).trim(), options };
}

export function writeSpec(spec: Spec): string {
  const parts = Object.entries(spec.options).map(([key, value]) => `${key}=${dressed(value)}`);
  return parts.length === 0 ? spec.name : `${spec.name}:${parts.join(",")}`;
}

/** The spec with one option set; a value that is the default is left out. */
export function withOption(text: string, key: string, value: string, fallback: string): string {
  const spec = readSpec(text);
  const { [key]: _, ...others } = spec.options;
  return writeSpec({ name: spec.name, options: value === fallback ? others : { ...others, [key]: value } });
}

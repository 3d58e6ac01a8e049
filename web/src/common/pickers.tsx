// SPDX-License-Identifier: MIT
//
// Choosing a player (with its options as a form, from the server's own table) and a map (with small pictures).

export function PlayerPicker(_: {
  game: string; // the spec of what is played
  value: string; // a spec
  onChange: (spec: string) => void;
  label: string;
  human?: boolean; // may a person be chosen, too? Then the value "human" means that
}) {
  return null;
}

export function MapPicker(_: { value: string; onChange: (name: string) => void; label: string }) {
  return null;
}

/** Several of them, for events. */
export function MapsPicker(_: { value: string[]; onChange: (names: string[]) => void; label: string }) {
  return null;
}

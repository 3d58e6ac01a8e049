// SPDX-License-Identifier: MIT
//
// Messages between the page of a study's participants and `senjutsu study serve`, see docs/studies.md.

import type { Side } from "./types";

export interface StudyTexts {
  en: string;
  ja: string;
}

/** About the participant; may be left open. */
export interface AboutQuestion {
  id: string;
  text: StudyTexts;
  choices: { id: string; text: StudyTexts }[];
}

/** Asked of each map, on the scale. */
export interface MapQuestion {
  id: string;
  text: StudyTexts;
  low: StudyTexts; // the meaning of the least value
  high: StudyTexts; // … and of the highest
}

export interface Study {
  title: StudyTexts;
  consent_text: StudyTexts; // paragraphs are separated by an empty line
  name_max: number; // characters
  comment_max: number;
  about_questions: AboutQuestion[];
  questions: MapQuestion[];
  scale: [low: number, high: number];
  stage: "consent" | "maps" | "closing" | "finished"; // closing: all maps are rated
  key?: string; // of this participant; absent for an open link before the consent
  language: "en" | "ja" | null; // as given with the consent
  name: string;
  about: Record<string, string>; // question: choice
  maps: StudyMap[]; // in this participant's order; [] before the consent
  comment: string; // about the whole study
  next: StudyNext;
}

/** What is to be done now. */
export type StudyNext =
  | { do: "consent" }
  | { do: "game"; map: number; side: Side; game: number } // start it, or go on with it
  | { do: "rate"; map: number }
  | { do: "finish" }
  | { do: "nothing" };

export interface StudyMap {
  map: number; // its place in the order: 0, 1, …
  state: "waiting" | "open" | "done"; // open: the current one; done: played from both sides and rated
  sides: [Side, Side]; // the order of the sides
  games: StudyGame[]; // those that were started, in order
  ratings: Record<string, number>; // question: value
  comment: string;
}

export interface StudyGame {
  map: number;
  side: Side; // the participant's
  game: number; // 1: the first on this map from this side
  id: string; // of the live game
  key: string; // of the participant's seat
  over: boolean;
  won: number | null; // 1 won, 0.5 drawn, 0 lost; null while it goes on
}

/** POST /api/study/consent. */
export interface StudyConsent {
  participant?: string; // the key, or
  open?: string; // the code of an open link, with
  visit?: string; // made at random and stored by the browser: the same one gives the same participant
  accept: true;
  language: "en" | "ja";
  name?: string;
  about?: Record<string, string>;
}

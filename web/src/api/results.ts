// SPDX-License-Identifier: MIT
//
// Results of jobs: the same JSON as the command line writes, with the same documentation. A seed is a number, or digits
// in a string where it has more than 63 bits.

import type { Message, Share, TbsMap } from "./types";

export type Seed = number | string;

// ---- match and tournament: docs/tournaments.md ----

export type TournamentFormat = "round-robin" | "gauntlet" | "swiss" | "knock-out";
export type TournamentStage = "main" | "play-off" | "final";

export interface Score {
  wins: number;
  draws: number;
  losses: number;
  games: number;
  score: number | null; // points a game; null: no games
  interval: [number, number];
}

/** For games with payoffs other than win and loss: the mean payoff. */
export interface Payoff {
  mean: number;
  interval: [number, number];
  low: number;
  high: number;
  unit: string;
  observations: number;
}

export interface Standing extends Score {
  player: string;
  spec: string;
  author?: string;
  place: number;
  shared: boolean;
  points: number;
  as_first: Score;
  as_second: Score;
  elo: number | null;
  elo_error: number | null;
  tie_breaks: Record<string, number | null>;
  faults: Record<string, number>;
  byes: number;
  walkovers: number;
  decided_by: TournamentStage;
  disqualified: boolean;
  payoff?: Payoff | null;
}

export interface Pairing extends Score {
  player: string;
  opponent: string;
  points: [number, number];
  superiority: number | null; // how likely the player is the stronger one
}

/** Of knock-out, play-offs and final. */
export interface Meeting extends Pairing {
  stage: TournamentStage;
  round: number;
  games_open: number;
}

export interface TournamentMap {
  map: string;
  author?: string;
  games: number;
  first_side: Score;
  first_side_elo: number | null;
  first_side_elo_error: number | null;
}

export interface Highlight {
  kind: "upset" | "lead-changes" | "short-win" | "fault";
  game: number;
  weight: number;
  text: string;
  // What the sentence is made of; results of earlier versions have the sentence only.
  players?: [string, string]; // the winner first; with a fault the loser; of a draw the first side
  drawn?: boolean;
  turns?: number;
  lead_changes?: number; // of "lead-changes"
  above?: number | null; // of "upset": Elo
  map?: string; // absent in games without maps
  fault?: string; // of "fault"
  more?: number; // of "fault": other games with the same one
}

/** As a rules file has them. */
export interface TournamentRules {
  title: string;
  game: string;
  rule_set: string;
  format: TournamentFormat;
  rounds: number;
  challengers: number;
  games: number;
  both_sides: boolean;
  disqualify_after: number;
  points: { win: number; draw: number; loss: number };
  clock: { turn: number; move: number; game: number; increment: number; byoyomi: number; grace: number; patience: number };
  maps: { per_pairing: number; not_own: boolean };
  playoff: { places: number; games: number; repeats: number };
  final: { players: number; games: number };
  tie_breaks: string[];
}

export interface TournamentTimes {
  date: string;
  seconds: number | null; // of this run
  players: { player: string; ms_per_decision: number | null; longest_ms: number }[];
  voids: { game: number; gap_seconds: number; actions: number }[]; // games that a stop of the server disturbed
}

/** A column of a table, as the program describes it. */
export interface ColumnInfo {
  name: string; // field of the rows
  title: string; // English
  format: string; // "text", "count", "number", "fixed", "share", "signed", "error", "flag", "json"
}

export interface TournamentResult {
  columns?: ColumnInfo[]; // of the standings
  title: string;
  game: string;
  format: TournamentFormat;
  seed: Seed;
  complete: boolean;
  games: number;
  games_expected: number;
  ratings_connected: boolean | null;
  standings: Standing[];
  pairings: Pairing[]; // pairings with games
  meetings: Meeting[];
  maps: TournamentMap[];
  highlights: Highlight[];
  rules: TournamentRules;
  times: TournamentTimes;
}

/** As in `senjutsu match --json`, from the first player's side. */
export interface MatchTally {
  wins: [number, number];
  draws: number;
  score: number;
  interval: [number, number];
}

export interface MatchFigures extends MatchTally {
  players: [string, string];
  games: number;
  games_wanted: number;
  elo: { difference: number; error: number; interval: [number, number]; superiority: number };
  pairs: [number, number, number, number, number]; // both games of a pair together: 0, ½, 1, 1½ and 2 points
  as_first: MatchTally;
  as_second: MatchTally;
}

export interface MatchResult extends TournamentResult {
  match: MatchFigures;
}

// ---- fairness tests and evolutions: docs/map-generation.md ----

export interface Remark extends Message {
  weight: "good" | "note" | "fault";
}

export interface JudgeShare {
  value: number;
  interval: [number, number];
  games: number;
}

interface FirstKills {
  mean: number; // enemies destroyed in the first turn
  any: number; // share of games with at least one
}

interface SideLooks {
  first_attacks: number;
  attackers: number;
  no_prey: number;
  stranded: number;
}

export interface JudgeResult {
  games: number;
  // null: no such games yet
  strong: { both: JudgeShare | null; as_red: JudgeShare | null; as_blue: JudgeShare | null };
  red_between_equals: JudgeShare | null;
  decisive: JudgeShare | null;
  turns: number;
  first_turn_kills: { red: FirstKills; blue: FirstKills };
  annihilations: number;
  forfeits: number;
  fairness: string; // in words
  strength: string;
  tight: boolean; // the intervals have the requested precision
  looks: { natural: number; coherence: number; roads: number; isolated_roads: number; road_ends: number; red: SideLooks; blue: SideLooks };
  remarks: Remark[];
  players: [strong: string, weak: string];
  rules: string;
  seed: Seed;
  width: number;
  fair: number;
  games_min: number;
  games_max: number;
  complete: boolean;
}

interface Counts {
  wins: number;
  draws: number;
  losses: number;
}

/** Games of an evolved map, counted. */
export interface EvolvedCounts {
  strong_red: Counts;
  strong_blue: Counts;
  peers_red: Counts;
  turns: number; // of all games together
  actions: number;
  annihilated: number;
  forfeits: number;
  first_kills_red: number[]; // number of games by count
  first_kills_blue: number[];
  attacked: number[]; // by unit
}

interface BothSides {
  red: number;
  blue: number;
}

export interface EvolvedMap {
  rank: number;
  id: number;
  generation: number;
  note: string;
  note_message?: Omit<Message, "text">;
  parents: [number | null, number | null];
  place: [number | null, number | null]; // in the archive
  fitness: number | null; // by the games that selected it
  fitness_fresh: number | null; // by games not used for selection
  qualities: {
    from: "fresh" | "selection";
    games: number;
    strong_red: Share | null;
    strong_blue: Share | null;
    strength: Share | null;
    red: Share | null;
    decisive: Share | null;
    turns: number | null;
  };
  looks: {
    roads: number;
    isolated_roads: number;
    road_ends: number;
    rough: number;
    gathered: number;
    strewn: number;
    coherence: number | null;
    no_prey: BothSides;
    stranded: BothSides;
    first_attacks: BothSides;
    attackers: BothSides;
    natural: number | null;
  };
  remarks: Remark[];
  judgement: EvolvedCounts;
  fresh: EvolvedCounts;
  map: TbsMap | null;
  text: string; // .tbsmap
}

export interface EvolveGeneration {
  generation: number;
  evaluations: number;
  games: number;
  best: number | null;
  mean: number | null;
  best_id: number | null;
  filled: number; // kinds of good maps, or different maps
}

/** As results.json of an evolve folder, but a map's "map" is the map and its "text" the .tbsmap. */
export interface EvolveResult {
  format: "senjutsu-evolution";
  version: number;
  seed: Seed;
  recipe: Record<string, string | number | boolean | null>; // the names are those of EvolvePreset's options
  maps_made: number;
  evaluations: number;
  games: number;
  verified: boolean;
  fitness_max: number | null;
  features: { name: string; unit: string; edges: (number | null)[] }[];
  generations: EvolveGeneration[];
  maps: EvolvedMap[];
  lineage: { id: number; generation: number; parents: [number | null, number | null]; note: string; note_message?: Omit<Message, "text">; fitness: number | null }[];
}

// ---- experiments: docs/experiments.md ----

/** What a comparison with a paper shows; the last three have no chance in them, or nothing to compare with. */
export type VerdictKind = "agrees" | "differs" | "cannot_tell" | "same" | "not_same" | "none";

export interface ReproRow {
  label: string;
  label_messages?: Message[]; // the label in parts, one after the other; absent in results of earlier versions
  published: number | null;
  published_margin?: number;
  published_trials?: number; // behind the published figure
  ours: number | null;
  low: number | null;
  high: number | null;
  unit: string; // "%", "ms" or ""
  trials: number;
  verdict: string;
  kind?: VerdictKind; // absent in results of earlier versions
  trials_needed?: number; // where the verdict cannot tell: those that could
  code?: string; // the verdict as data
  args?: string[];
}

export interface Finding extends Message {
  holds: boolean;
  verdict?: VerdictKind; // this and the following are absent in results of earlier versions
  test?: "greater" | "equal" | "within" | "at_most" | "claim";
  comparisons?: number; // with chance in them; 0: none
  margin?: number;
  p?: number; // of all comparisons, corrected for their number
  first_messages?: Message[]; // its first argument in parts
}

export interface ReproPlot {
  name: string;
  title: string;
  texts?: { text: string; messages: Message[] }[]; // axes and keys
}

/** Answers of 0 or 1 as a table; `exact`: there is no chance in the answer. */
export interface ReproTicks {
  columns: Labelled[];
  rows: (Labelled & { answers: { share: number; exact: boolean }[] })[];
}

export interface Labelled {
  label: string;
  label_messages?: Message[];
}

/** As `senjutsu repro NAME --json`. */
export interface ReproResult {
  name: string;
  title: string;
  source: string;
  published: string;
  seed: Seed;
  rows: ReproRow[];
  findings: Finding[];
  summary: string;
  summary_messages?: Message[]; // its parts
  parameters: {
    version: number;
    rules?: string;
    maps: string[];
    cells: { label: string; label_messages?: Message[]; map?: string; game?: string; players?: string[] }[];
  };
  trials: number;
  trials_all: number;
  trials_whole?: number; // of the whole experiment; this and the next two are absent in results of earlier versions
  quick?: boolean;
  scale?: string; // "quick, 40 of 500 trials" where fewer were run, or ""
  ticks?: ReproTicks;
  plots: ReproPlot[];
  seconds: number;
}

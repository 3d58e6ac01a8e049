// SPDX-License-Identifier: MIT
//
// Messages between the page and `senjutsu serve`, see docs/http-api.md. Names are those of the protocol (snake case),
// so that they can be searched for here. Results of jobs are in results.ts, studies in study.ts.

import type { TournamentFormat, TournamentResult, TournamentStage, EvolveResult, JudgeResult, MatchResult, Remark, ReproResult } from "./results";

export type * from "./results";
export type * from "./study";

export type Side = 0 | 1;
export type Cell = [x: number, y: number];

/** Body of every response with status 400 or above. */
export interface Failure {
  error: string; // a sentence for people
  field?: string; // the member of the request that is wrong, when there is one
  code?: string | undefined; // the sentence as data
  args?: string[] | undefined;
  prefix?: string | undefined; // of the sentence, before the message
}

/** A message as data: the English text, and what a translation is made of. */
export interface Message {
  text: string;
  code?: string | undefined;
  args?: readonly string[] | undefined;
  cells?: readonly Cell[]; // of a map, what it is about
  unit?: number; // the same: a unit's id
}

// ---- static information ----

export interface About {
  version: string;
  build: string;
  compiler: string;
  cores: number;
  data: string; // the data folder, for people
  pictures: boolean; // built with Cairo
  programs: boolean; // may external programs be named as players?
  damaged?: string[]; // sentences: files in the data folder that could not be read when the server was started
}

export interface Param {
  name: string;
  kind: "int" | "real" | "switch" | "choice" | "text" | "seed" | "player" | "texts" | "json" | "choices" | "group";
  default: string; // as in a spec string
  low?: number;
  high?: number;
  choices?: string[];
  help: string;
  rows?: Param[]; // of a group
}

/** What requests take. */
export type RequestInfo = Record<JobKind | "analysis" | "random_map", Param[]>;

export interface PlayerInfo {
  name: string;
  help: string;
  options: Param[];
  games: string[]; // names of the games it can play
}

export interface GameInfo {
  name: string;
  help: string;
  hidden: boolean;
  takes_maps: boolean;
  sides: [string, string];
  options: Param[];
  opponent: string; // spec of the default opponent
  adviser: string; // spec of the player for hints and win probabilities
}

/** Numbers of the tactical game: the page contains none. */
export interface TbsFacts {
  units: { name: string; mark: string; move: number; direct: boolean; class: "air" | "vehicle" | "foot" }[];
  terrains: {
    name: string;
    mark: string;
    stars: number;
    cost: { air: number | null; vehicle: number | null; foot: number | null }; // null: cannot enter
  }[]; // the index is the digit of a map
  rules: { name: string; help: string; power: number[][] }[]; // power[attacker][defender], by unit's index
  range: [low: number, high: number]; // of indirect units
  hp_usual: number;
  hp_max: number;
  cells_max: number; // playable cells along an edge
  side_units_max: number;
}

// ---- maps ----

export interface TbsMapUnit {
  x: number;
  y: number;
  type: string;
  side: "red" | "blue";
  hp: number;
  done?: boolean;
}

/** As `senjutsu map convert --json` writes it; coordinates with the border of no-entry cells. */
export interface TbsMap {
  format: "senjutsu-map";
  width: number;
  height: number;
  turn_limit: number;
  threshold: number;
  author?: string;
  comment?: string;
  terrain: string[]; // rows, a digit a cell
  units: TbsMapUnit[]; // the index is the unit's id
}

export interface MapInfo {
  name: string; // "duel" (ours), "mine/first-try" (saved from the page)
  mine: boolean;
  width: number; // playable cells
  height: number;
  units: [number, number];
  comment: string;
  author: string;
}

export interface MapProblem extends Message {
  line: number; // 0: the map as a whole
  fatal: boolean;
}

export interface MapDetails extends MapInfo {
  map: TbsMap;
  text: string; // the .tbsmap
  problems: MapProblem[];
}

/** POST /api/maps/check: of a map that is being drawn. */
export interface MapCheck {
  playable: boolean; // no problem is fatal
  problems: MapProblem[];
  text: string; // the .tbsmap, "" when it cannot be written
  map: TbsMap | null;
  stats: MapStats | null;
}

export interface MapStats {
  actions: number; // of the first turn's first decision
  contact: number | null; // turns until the sides can first attack; null: never
  remarks: Remark[];
  unused: string[]; // the sentences of the remarks, for programs that do not read `remarks`
}

/** POST /api/maps/random. */
export interface RandomMap {
  seed?: number | string;
  width?: number;
  height?: number;
  units?: number; // of each side
  symmetric?: boolean; // blue is red turned around
}

// ---- start of a game ----

export interface StartingPosition {
  game: string; // spec: "tbs", "geister", "geister:rules=uctgeister"
  map?: string; // tactical game: a map's name …
  map_text?: string; // … or its text (.tbsmap or JSON); then `map` is only its name
  rules?: string; // tactical game: rule set
}

/** A position: the start of a game, a text, or a position of a recorded game. */
export interface Source extends StartingPosition {
  position?: string; // the game's own notation, or (Geister) a server's board line
  record?: unknown; // a game as record.json, or the text of a record of any form
  table?: string; // the id of a live game …
  key?: string; // … and a seat's key, for hidden information
  after?: number; // of the record or live game: number of actions; default all
}

// ---- states ----

interface StateBase {
  mover: Side | null; // null: over
  turn: number; // turns completed
  text: string; // notation, as far as visible to the viewer
  result: string; // "none", "red annihilation", "first escape", …
  payoff: [number, number] | null; // when over
  over: boolean;
}

export interface TbsUnit {
  id: number;
  type: string;
  side: Side; // 0 red, 1 blue
  x: number;
  y: number;
  hp: number; // units that are destroyed are not listed
  done: boolean;
}

export interface TbsState extends StateBase {
  game: "tbs";
  units: TbsUnit[];
  turn_limit: number;
  threshold: number;
  hp: [number, number];
}

export type Colour = "red" | "blue" | "unknown";

export interface GeisterPiece {
  side: Side;
  letter: string; // A … H, the same letters for both sides
  at: Cell | null; // in the first player's view: x from the left, y from the top, 0 … 5; null: not on the board
  fate: "board" | "taken" | "escaped";
  colour: Colour; // unknown if hidden from the viewer
}

export interface GeisterState extends StateBase {
  game: "geister";
  phase: "setup" | "play" | "over";
  ply: number; // moves played, set-ups not counted
  plies_max: number;
  pieces: GeisterPiece[]; // both sides', A … H of side 0 first
  exits: { forward: boolean; sideways: boolean };
}

/** Games without a graphical board. */
export interface PlainState extends StateBase {
  game: "plain";
  name: string;
  board?: [text: string, action: string][][]; // rows of cells; a click plays the action ("": none)
}

export type State = TbsState | GeisterState | PlainState;

// ---- actions ----

/** Legal actions by unit. The action's text is "ID:X,Y", with an attack "ID:X,YxTARGET"; or "pass". */
export interface TbsActions {
  game: "tbs";
  units: { id: number; stays: Cell[]; attacks: [x: number, y: number, target: number, damage: number, counter: number][] }[];
}

export interface GeisterActions {
  game: "geister";
  setup: boolean; // four letters are to be chosen: the action's text is those of the reds, "ABCD"
  moves: { action: string; letter: string; from: Cell; to: Cell | null }[]; // to null: off the board, an escape
}

export interface PlainActions {
  game: "plain";
  list: string[];
}

export type Actions = TbsActions | GeisterActions | PlainActions;

/** What an action did, as data, so that the page can describe it in any language. */
export type Did =
  | {
      kind: "tbs";
      unit: number;
      type: string;
      side: Side;
      from: Cell;
      to: Cell;
      target?: { id: number; type: string; at: Cell; damage: number; counter: number; destroyed: boolean; lost: boolean };
    }
  | { kind: "pass"; side: Side }
  | { kind: "resign"; side: Side }
  | { kind: "geister"; side: Side; letter: string; from: Cell; to: Cell | null; took?: { letter: string; colour: Colour } }
  | { kind: "setup"; side: Side; reds: string | null } // null: hidden from the viewer
  | { kind: "plain"; side: Side; text: string };

/** POST /api/positions. */
export interface Position {
  state: State;
  map: TbsMap | null;
  actions: Actions | null; // null: over
}

/** POST /api/positions/play: what was played, and where it leads. */
export interface PlayedPosition extends Position {
  steps: Step[];
}

export interface Candidate {
  action: string;
  did: Did;
  value: number; // on the player's own scale
  chance: number | null; // the mover's chance, 0 … 1, where the scale is one
  at_most: boolean;
  visits: number;
  line: { action: string; did: Did }[]; // expected play, beginning with the action itself
}

export interface Thoughts {
  side: Side;
  player: string;
  candidates: Candidate[]; // best first
  total: number;
  simulations: number;
  nodes: number;
  depth: number;
  seconds: number;
}

// ---- live games: games that are played or watched ----

export interface Seat {
  kind: "human" | "player";
  name: string;
  spec: string; // "" for a person
}

export interface Clocks {
  limits: string; // "turn=10", as a command line says it; "" without limits
  left_ms: [number | null, number | null]; // for the current decision; null: no limit
  running: Side | null;
}

export interface Step {
  ply: number; // number of actions before this state; 0 at the start
  side: Side;
  action: string | null; // null: hidden from the viewer
  did: Did;
  state: State;
  ms: number | null;
  chance: number | null; // side 0's win probability afterwards, by the adviser; null: unknown
  thoughts: Thoughts | null; // of the player that moved, if visible to the viewer
}

export interface LiveGameInfo {
  id: string;
  ground: StartingPosition;
  seats: [Seat, Seat];
  ply: number;
  mover: Side | null;
  over: boolean;
  result: string;
  created: string; // ISO 8601
}

/** Everything visible to the viewer; the first event of its stream, and GET /api/tables/ID. */
export type RecordForm = "json" | "sgf" | "log";

export interface LiveGame extends LiveGameInfo {
  you: Side[]; // the sides the key holds
  map: TbsMap | null;
  start: State;
  steps: Step[];
  state: State; // the last one
  actions: Actions | null; // for a person whose turn it is
  clocks: Clocks;
  thinking: Side | null; // the side of a thinking player
  may: {
    undo: boolean;
    take_back: boolean;
    revealed: boolean; // cannot be taken back because it revealed hidden information
    resign: boolean;
    hint: boolean;
  };
  offer: Side | null; // the side that has asked the other person to take back
  comment: string; // a ruling, "blue forfeits: …"
  comment_message?: Omit<Message, "text">; // the same as data; absent for most rulings, and in games that were loaded
  sees_all: boolean; // nothing is hidden from this viewer
  record_forms: RecordForm[] | null; // that can be saved now; []: after the game; null: a game from the middle has no record
  unsaved?: string | null; // why the last actions are not saved yet
}

export interface NewLiveGame extends StartingPosition {
  position?: string; // begin there
  seats: [NewSeat, NewSeat];
  seed?: number | string;
  clock?: string; // "turn=30", "game=600,byoyomi=10"
  thoughts?: boolean; // keep and send players' thoughts (default true)
}
export type NewSeat = { kind: "human"; name?: string } | { kind: "player"; spec: string; name?: string };

export interface NewLiveGameAnswer {
  id: string;
  keys: [string | null, string | null]; // of the seats that people have
}

/** Response to actions in a live game: the number of actions played. */
export interface LiveGameAnswer {
  ply: number;
}

/** Server-sent events of GET /api/tables/ID/events: changed parts are sent completely. */
export interface LiveGameEvents {
  table: LiveGame; // first, and when an increment is not enough (take-back, end: colours are revealed)
  step: { step: Step; actions: Actions | null; clocks: Clocks; thinking: Side | null; may: LiveGame["may"] };
  chance: { ply: number; chance: number };
  thinking: { side: Side; thoughts: Thoughts | null; clocks: Clocks };
  offer: { side: Side | null };
  unsaved: { unsaved: string | null };
}

// ---- analyses ----

export interface NewAnalysis {
  source: Source;
  kind: "think" | "solve";
  player?: string; // think
  sims?: number; // instead of the player's default budget
  time_ms?: number; // likewise; solve: the limit (default 60000)
  seed?: number | string;
  top?: number; // candidates, 1 … 4096
}

export interface NewAnalysisAnswer {
  id: string;
}

export interface Solution {
  solved: boolean;
  side: Side;
  value: "win" | "draw" | "loss" | null; // for the side to move; null: not proved
  low: number;
  high: number;
  turns_low: number;
  turns_high: number;
  depth: number;
  nodes: number;
  seconds: number;
  line: { action: string; did: Did }[];
}

export interface Analysis {
  id: string;
  kind: "think" | "solve";
  state: "running" | "done" | "stopped" | "failed";
  error: string;
  position: State; // the analysed position, as the side to move sees it
  map: TbsMap | null;
  thoughts: Thoughts | null;
  chosen: string | null; // when done
  turn: { action: string; did: Did; state: State }[]; // the rest of the turn as the player would play it, when done
  solution: Solution | null;
}

/** GET /api/analyses/ID/events. */
export interface AnalysisEvents {
  analysis: Analysis; // at first and at the end
  thoughts: Thoughts;
}

// ---- jobs ----

export type JobKind = "match" | "tournament" | "judge" | "evolve" | "repro";
export type JobState = "queued" | "running" | "done" | "failed" | "cancelled";

export interface Progress {
  done: number;
  total: number | null; // known from the beginning, or an upper bound; null: unknown
  unit: "games" | "trials";
  note: string; // the stage, "round 2"
  note_message?: Omit<Message, "text">; // the same as data, while the job is running
  seconds: number; // worked so far
  left: number | null; // seconds, estimated
}

export interface JobInfo {
  id: string;
  kind: JobKind;
  title: string;
  state: JobState;
  progress: Progress;
  created: string;
  finished: string; // "" before
  error: string;
}

interface JobOf<Kind extends JobKind, Params, Result> extends JobInfo {
  kind: Kind;
  params: Params; // as requested
  result: Result | null; // partial while the job is running
  files: string[]; // GET /api/jobs/ID/files/NAME
}
export type Job =
  | JobOf<"match", MatchParams, MatchResult>
  | JobOf<"tournament", TournamentParams, TournamentResult>
  | JobOf<"judge", JudgeParams, JudgeResult>
  | JobOf<"evolve", EvolveParams, EvolveResult>
  | JobOf<"repro", ReproParams, ReproResult>;

export interface MatchParams {
  players: [string, string];
  game?: string;
  maps?: string[]; // names, default ["standard"]
  games?: number;
  seed?: number | string;
  clock?: string;
  rules?: string;
  title?: string;
}
export interface TournamentParams {
  players: (string | { spec: string; name?: string; author?: string })[];
  game?: string;
  maps?: string[];
  format?: TournamentFormat;
  games?: number;
  rounds?: number;
  preset?: string;
  seed?: number | string;
  clock?: string;
  rules?: string;
  title?: string;
}
export interface JudgeParams {
  map?: string;
  map_text?: string;
  strong?: string;
  weak?: string;
  tight?: number;
  games?: number;
  min_games?: number;
  fair?: number;
  rules?: string;
  seed?: number | string;
}
export interface EvolveParams {
  preset?: string;
  seed?: number | string;
  seconds?: number; // 0: no limit
  from?: string[]; // maps' names
  options?: Record<string, string>; // of the recipe
}
export interface ReproParams {
  experiment: string;
  quick?: boolean;
  trials?: number;
  seed?: number | string;
}
export type JobParams = MatchParams | TournamentParams | JudgeParams | EvolveParams | ReproParams;

/** A share with its interval and the number of games. */
export interface Share {
  value: number;
  low: number;
  high: number;
  games: number;
}

export interface GameRow {
  number: number;
  players: [string, string]; // by side
  map: string;
  result: string;
  payoff: number | null; // side 0's; null: not finished
  actions: number;
  round: number;
  stage: TournamentStage;
}

export interface LiveBoard {
  game: number;
  players: [string, string];
  map: string;
  board: TbsMap | null; // the tactical game's map; null in other games
  ply: number;
  state: State; // complete: nothing is hidden from the organiser
  over: boolean;
}

/** GET /api/jobs/ID/events. */
export interface JobEvents {
  job: Job; // at first, at every change of state, and when the result has grown (at most once a second)
  progress: Progress;
  board: LiveBoard; // of games under way, the last states, at most four a second and board
}

/** GET /api/jobs/events: all jobs, for the list. */
export interface JobListEvents {
  jobs: JobInfo[]; // at first, and whenever one comes, goes or changes state
  progress: { id: string; progress: Progress };
}

export interface ExperimentInfo {
  name: string;
  group: string;
  title: string;
  source: string;
  published: string;
  duration: string;
  trials: number;
  trials_quick: number;
  last: { job: string; finished: string; summary: string; summary_messages?: Message[] } | null; // the newest result
}

export interface TournamentPreset {
  name: string;
  help: string;
}
export interface EvolvePreset {
  name: string;
  help: string;
  options: Param[];
}

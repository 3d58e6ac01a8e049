// SPDX-License-Identifier: MIT
//
// The contract between server and page: the tests call every route and await every event, and the compiler checks the
// received values against src/api/types.ts. docs/http-api.md must list the same routes and limits as the code.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type {
  Analysis,
  GameRow,
  Job,
  JobEvents,
  JobInfo,
  MapCheck,
  MapDetails,
  NewAnalysis,
  NewAnalysisAnswer,
  NewSeat,
  NewLiveGame,
  NewLiveGameAnswer,
  PlayedPosition,
  Position,
  RandomMap,
  Source,
  LiveGame,
  LiveGameAnswer,
  TbsActions,
} from "../../src/api/types";
import { root, routeOf, routes, valuesOf } from "./server_code";
import { type Server, startServer, until } from "./support";
import { listenTo, type Message, messagesOf } from "./wire";
import { complaintsAbout, type Seen } from "./observer";

let server: Server;
const seen: Seen[] = [];
const asked = new Set<string>();

beforeAll(async () => void (server = await startServer()));
afterAll(() => server.remove());

// ---- asking ----

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const route = routeOf(method, path);
  if (route !== undefined) asked.add(route);
  const sent = body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return fetch(server.url + path, { method, ...sent });
}

async function answer<Answer>(type: string, method: string, path: string, body?: unknown, status = 200): Promise<Answer> {
  const response = await send(method, path, body);
  const text = await response.text();
  expect(response.status, `${method} ${path}: ${text}`).toBe(status);
  const value = JSON.parse(text) as Answer;
  seen.push({ type, from: `${method} ${path}`, value });
  return value;
}

const get = <Answer>(type: string, path: string) => answer<Answer>(type, "GET", path);
const failure = (status: number, method: string, path: string, body?: unknown) =>
  answer<{ error: string; field?: string }>("Failure", method, path, body, status);

async function nothing(method: string, path: string): Promise<void> {
  const response = await send(method, path);
  expect([response.status, await response.text()], `${method} ${path}`).toEqual([204, ""]);
}

/** Reads a stream until it has enough; the received values are recorded. */
function follow(type: string, path: string) {
  const route = routeOf("GET", path);
  if (route !== undefined) asked.add(route);
  const stream = listenTo(server.url + path);
  const messages = () => messagesOf(stream.read());
  return {
    until: (what: string, isEnough: (messages: Message[]) => boolean) => until(`${path}: ${what}`, async () => messages(), isEnough),
    stop: () => {
      stream.stop();
      for (const { from, text } of messages())
        if (from !== "end") seen.push({ type: `${type}["${from}"]`, from: `${path}: ${from}`, value: JSON.parse(text) });
    },
  };
}

const has = (name: string) => (messages: Message[]) => messages.some((message) => message.from === name);
const count = (name: string, least: number) => (messages: Message[]) => messages.filter((message) => message.from === name).length >= least;

// ---- tables ----

const person: NewSeat = { kind: "human", name: "a person" };
const random: NewSeat = { kind: "player", spec: "random" };

async function sit(request: NewLiveGame): Promise<{ path: string; id: string; keys: [string | null, string | null] }> {
  const made = await answer<NewLiveGameAnswer>("NewLiveGameAnswer", "POST", "/api/tables", request, 201);
  return { ...made, path: `/api/tables/${made.id}` };
}

const look = (path: string, key?: string | null) => get<LiveGame>("LiveGame", key ? `${path}?key=${key}` : path);
const act = (path: string, what: string, body: object) => answer<LiveGameAnswer>("LiveGameAnswer", "POST", `${path}/${what}`, body);

/** Something that the side to move may do, as its text. */
function actionOf({ actions }: Pick<LiveGame, "actions">): string {
  if (actions?.game === "plain") return actions.list[0] ?? "";
  if (actions?.game === "geister") return actions.setup ? "ABCD" : (actions.moves[0]?.action ?? "");
  const unit = (actions as TbsActions).units[0];
  return unit === undefined ? "pass" : `${unit.id}:${(unit.stays[0] ?? []).join(",")}`;
}

async function move(path: string, key: string | null): Promise<LiveGame> {
  const liveGame = await look(path, key);
  await act(path, "action", { key, ply: liveGame.ply, action: actionOf(liveGame) });
  return look(path, key);
}

/** Sends the request repeatedly; only its result is recorded. */
async function liveGameWhen(what: string, path: string, key: string | null, isFine: (liveGame: LiveGame) => boolean): Promise<LiveGame> {
  await until(`${path}: ${what}`, async () => (await (await send("GET", key ? `${path}?key=${key}` : path)).json()) as LiveGame, isFine);
  return look(path, key);
}

const untilOver = (path: string) => liveGameWhen("its end", path, null, ({ over }) => over);

// ---- jobs ----

async function work(kind: Job["kind"], params: object): Promise<{ path: string; job: Job }> {
  const { id } = await answer<JobInfo>("JobInfo", "POST", "/api/jobs", { kind, params }, 201);
  const path = `/api/jobs/${id}`;
  const stream = follow("JobEvents", `${path}/events`);
  await stream.until("the end", (messages) => messages.some(({ from, text }) => from === "job" && /"state":"(done|failed)"/.test(text)));
  stream.stop();
  const job = await get<Job>("Job", path);
  expect(job.state, job.error).toBe("done");
  expect(job.result).not.toBeNull();
  return { path, job };
}

describe("what travels", () => {
  it("says what there is", async () => {
    await get("About", "/api/about");
    await get("GameInfo[]", "/api/games");
    await get("PlayerInfo[]", "/api/players");
    await get("TbsFacts", "/api/tbs");
    await get("ExperimentInfo[]", "/api/experiments");
    await get("TournamentPreset[]", "/api/presets/tournament");
    await get("EvolvePreset[]", "/api/presets/evolve");
    await get("RequestInfo", "/api/requests");
  });

  it("has maps", async () => {
    await get("MapInfo[]", "/api/maps");
    const duel = await get<MapDetails>("MapDetails", "/api/maps/duel");
    await answer("MapDetails", "PUT", "/api/maps/mine/one", { map: duel.map });
    await answer("MapDetails", "PUT", "/api/maps/mine/two", { text: duel.text });
    await get("MapInfo[]", "/api/maps");
    await get("MapDetails", "/api/maps/mine/one");
    for (const name of ["duel", "mine/two"]) {
      const file = await send("GET", `/api/maps/${name}/file`);
      expect(file.headers.get("Content-Disposition")).toMatch(/^attachment; filename="(duel|two)\.tbsmap"$/);
      expect(await file.text()).toContain("SIZEX");
    }
    await nothing("DELETE", "/api/maps/mine/two");
    const good = await answer<MapCheck>("MapCheck", "POST", "/api/maps/check", { text: duel.text });
    expect([good.playable, good.stats === null]).toEqual([true, false]);
    for (const bad of [{ text: "SIZEX[3];nonsense" }, { map: { ...duel.map, terrain: ["0"] } }, { map: {} }])
      expect((await answer<MapCheck>("MapCheck", "POST", "/api/maps/check", bad)).playable).toBe(false);
    await answer("MapCheck", "POST", "/api/maps/check", { map: { ...duel.map, units: [] } });
    const requests: RandomMap[] = [{}, { seed: "18446744073709551615", width: 6, height: 5, units: 3, symmetric: true }];
    for (const request of requests) await answer("MapCheck", "POST", "/api/maps/random", request);
  });

  it("has positions, and what can be played in them", async () => {
    const grounds: Source[] = [{ game: "tbs", map: "duel" }, { game: "geister" }, { game: "kuhn" }, { game: "synth:depth=4" }, { game: "fusion" }];
    for (const source of grounds) {
      const position = await answer<Position>("Position", "POST", "/api/positions", source);
      const actions = [actionOf(position)];
      const played = await answer<PlayedPosition>("PlayedPosition", "POST", "/api/positions/play", { source, actions });
      expect(played.steps).toHaveLength(1);
      await answer("PlayedPosition", "POST", "/api/positions/play", { source, actions: [...actions, actionOf(played)] });
      await answer("Position", "POST", "/api/positions", { game: source.game, ...(source.map ? { map: source.map } : {}), position: position.state.text });
    }
  });

  it("has a game of a person against a player, with clocks and thoughts", async () => {
    const request: NewLiveGame = {
      game: "tbs", map: "duel", rules: "paper", seats: [person, { kind: "player", spec: "uct:time=700", name: "slow" }],
      seed: 1, clock: "turn=60", thoughts: true,
    };
    const { path, keys } = await sit(request);
    const key = keys[0];
    const streams = [follow("LiveGameEvents", `${path}/events?key=${key}`), follow("LiveGameEvents", `${path}/events`)];
    await move(path, key);
    await act(path, "undo", { key });
    await move(path, key);
    await act(path, "action", { key, ply: 1, action: "pass" });
    for (const stream of streams) await stream.until("a player's thoughts, its step and chances", (m) => has("thinking")(m) && count("step", 3)(m) && has("chance")(m));
    await liveGameWhen("our turn", path, key, ({ mover }) => mover === 0);
    await act(path, "take-back", { key });
    await act(path, "resign", { key });
    const over = await look(path, key);
    expect([over.over, over.steps.at(-1)?.did.kind]).toEqual([true, "resign"]);
    for (const stream of streams) stream.stop();
    await get("LiveGameInfo[]", "/api/tables");
    const record = await (await send("GET", `${path}/record?form=json`)).json();
    await answer("Position", "POST", "/api/positions", { game: "tbs", record, after: 0 });
    await answer("Position", "POST", "/api/positions", { game: "tbs", table: path.slice(-16) });
    const loaded = await answer<NewLiveGameAnswer>("NewLiveGameAnswer", "POST", "/api/tables/load", { record }, 201);
    await look(`/api/tables/${loaded.id}`);
    await nothing("DELETE", `/api/tables/${loaded.id}`);
  });

  it("has games between players, and one that is stopped", async () => {
    const { path } = await sit({ game: "tbs", map: "duel", seats: [random, { kind: "player", spec: "uct:sims=20" }] });
    await untilOver(path);
    const stream = follow("LiveGameEvents", `${path}/events`);
    await stream.until("all chances", (messages) => messages.length > 0);
    stream.stop();
    expect((await look(path)).sees_all).toBe(true);
    const long = await sit({ game: "tbs", map: "standard", seats: [{ kind: "player", spec: "uct:time=60000" }, random], thoughts: false });
    await act(long.path, "stop", {});
    expect((await look(long.path)).result).toBe("none");
  });

  it("has offers between two people", async () => {
    const { path, keys } = await sit({ game: "tbs", map_text: (await get<MapDetails>("MapDetails", "/api/maps/duel")).text, seats: [person, person] });
    const stream = follow("LiveGameEvents", `${path}/events?key=${keys[1]}`);
    await stream.until("the beginning", has("table"));
    await move(path, keys[0]);
    await act(path, "action", { key: keys[0], ply: 1, action: "pass" });
    await act(path, "take-back", { key: keys[0] });
    expect((await look(path, keys[1])).offer).toBe(0);
    await act(path, "answer", { key: keys[1], accept: false });
    await act(path, "take-back", { key: keys[0] });
    await act(path, "answer", { key: keys[1], accept: true });
    await stream.until("three offers, and the table after one was taken back", (m) => count("offer", 3)(m) && count("table", 2)(m));
    stream.stop();
    await nothing("DELETE", `${path}?key=${keys[0]},${keys[1]}`);
  });

  it("has Geister as everybody may see it, in the middle and at the end", async () => {
    const { path, keys } = await sit({ game: "geister", seats: [person, person] });
    const viewers = [null, keys[0], keys[1], keys.join(",")];
    const streams = viewers.map((key) => follow("LiveGameEvents", key ? `${path}/events?key=${key}` : `${path}/events`));
    for (const stream of streams) await stream.until("the beginning", has("table"));
    for (const viewer of viewers) await look(path, viewer);
    for (const side of [0, 1, 0, 1, 0] as const) await move(path, keys[side]);
    for (const viewer of viewers) expect((await look(path, viewer)).sees_all).toBe(false);
    await act(path, "resign", { key: keys[1] });
    for (const viewer of viewers) expect((await look(path, viewer)).sees_all).toBe(true);
    expect((await look(path)).record_forms).toEqual(["json", "log"]);
    for (const stream of streams) await stream.until("the end", (m) => count("table", 2)(m));
    for (const stream of streams) stream.stop();
    expect(await (await send("GET", `${path}/record?form=log`)).text()).toContain("\n");
    const played = await sit({ game: "geister:rules=uctgeister", seats: [random, { kind: "player", spec: "geist:sims=50" }] });
    await untilOver(played.path);
  });

  it.each(["kuhn", "synth:depth=4", "fusion"])("has %s, which has no board", async (game) => {
    const { path, keys } = await sit({ game, seats: [person, random] });
    const stream = follow("LiveGameEvents", `${path}/events?key=${keys[0]}`);
    await stream.until("the beginning", has("table"));
    for (let liveGame = await look(path, keys[0]); !liveGame.over; liveGame = await liveGameWhen("our turn", path, keys[0], ({ over, mover }) => over || mover === 0)) {
      await look(path);
      await move(path, keys[0]);
    }
    await stream.until("a step", has("step"));
    stream.stop();
    await look(path);
  });

  it("has analyses", async () => {
    const requests: NewAnalysis[] = [
      { source: { game: "tbs", map: "duel" }, kind: "think", player: "uct", time_ms: 500, seed: 3, top: 3 },
      { source: { game: "geister" }, kind: "think", sims: 200 },
      { source: { game: "kuhn" }, kind: "think", sims: 50 },
      { source: { game: "tbs", map: "duel" }, kind: "think", player: "acteval" },
      { source: { game: "tbs", map: "paper_fig5" }, kind: "solve" },
      { source: { game: "tbs", map: "standard" }, kind: "solve", time_ms: 300 },
    ];
    for (const request of requests) {
      const { id } = await answer<NewAnalysisAnswer>("NewAnalysisAnswer", "POST", "/api/analyses", request, 201);
      const path = `/api/analyses/${id}`;
      await get("Analysis", path);
      const stream = follow("AnalysisEvents", `${path}/events`);
      await stream.until("the end", has("end"));
      stream.stop();
      expect((await get<Analysis>("Analysis", path)).state).toBe("done");
      await nothing("DELETE", path);
    }
  });

  it("has matches and tournaments", async () => {
    const list = follow("JobListEvents", "/api/jobs/events");
    await list.until("the list", has("jobs"));
    await work("match", { players: ["random", "acteval"], maps: ["duel"], games: 1, seed: "18446744073709551615" });
    const { path, job } = await work("tournament", {
      players: ["acteval", { spec: "uct:time=60", name: "u", author: "an author" }, "random"], maps: ["duel", "mine/one"], games: 2, title: "small",
    });
    expect(job.files.length).toBeGreaterThan(0);
    const rows = await get<GameRow[]>("GameRow[]", `${path}/games?from=0&count=5`);
    expect(rows).toHaveLength(5);
    await look(`${path}/games/0`);
    expect(await (await send("GET", `${path}/games/0/record`)).json()).toMatchObject({ format: "senjutsu-record" });
    expect((await send("GET", `${path}/files/games.csv`)).headers.get("Content-Type")).toContain("text/csv");
    await work("tournament", { players: ["random", "iimc:sims=20"], game: "kuhn", games: 4 });
    await work("tournament", { players: ["random", "acteval", "uct:sims=5"], maps: ["duel"], format: "knock-out", games: 2 });
    await work("tournament", { players: ["random", "acteval", "uct:sims=5"], maps: ["duel"], format: "swiss", rounds: 2, games: 2 });
    await work("tournament", { players: ["random", "purple"], game: "geister", preset: "gat-geister", games: 2 });
    await list.until("progress", has("progress"));
    list.stop();
    await get("JobInfo[]", "/api/jobs");
    await get("ExperimentInfo[]", "/api/experiments");
  });

  it("has judgements, evolutions and experiments", async () => {
    await work("judge", { map: "duel", strong: "acteval", weak: "random", games: 20, tight: 0.3 });
    const small = { strong: "acteval", weak: "random", born: "6", population: "4", generations: "2", games: "4", peers: "2", verify: "4", reevaluate: "4", show: "3" };
    const evolved = await work("evolve", { preset: "designer", seed: 3, from: ["mine/one"], options: { ...small, width: "4", height: "4", red_min: "1", blue_min: "1", symmetry: "none" } });
    const map = evolved.job.files.find((name) => name.startsWith("maps/"));
    expect((await send("GET", `${evolved.path}/files/${map}`)).status).toBe(200);
    await work("evolve", { preset: "paper", options: { strong: "acteval", weak: "random", born: "4", population: "4", generations: "1", games: "2", verify: "0", show: "1" } });
    const repro = await work("repro", { experiment: "tbs-fig4", quick: true, trials: 2, seed: "18446744073709551615" });
    expect(repro.job.result).toMatchObject({ seed: "18446744073709551615" });
    const known = await get<{ name: string; last: unknown }[]>("ExperimentInfo[]", "/api/experiments");
    expect(known.find(({ name }) => name === "tbs-fig4")?.last).not.toBeNull();
    await nothing("DELETE", repro.path);
  });

  it("has jobs that are cancelled, go on and are removed", async () => {
    const slow = { players: ["uct:time=60000", "uct:time=60000"], maps: ["duel"], games: 4 };
    const { id } = await answer<JobInfo>("JobInfo", "POST", "/api/jobs", { kind: "match", params: slow }, 201);
    const path = `/api/jobs/${id}`;
    const stream = follow("JobEvents", `${path}/events`);
    await stream.until("a board", has("board"));
    await answer("JobInfo", "POST", `${path}/cancel`);
    await stream.until("its end", (messages) => messages.some(({ text }) => text.includes('"state":"cancelled"')));
    await answer("JobInfo", "POST", `${path}/resume`);
    await failure(409, "POST", `${path}/resume`);
    stream.stop();
    await nothing("DELETE", path);
    await failure(404, "GET", path);
  });

  it("has failures", async () => {
    const { path, keys } = await sit({ game: "geister", seats: [person, person] });
    await failure(400, "POST", "/api/tables", { game: "chess", seats: [] });
    await failure(400, "POST", "/api/tables", { game: "tbs", sites: [] });
    await failure(400, "POST", `${path}/action`, { key: keys[0], ply: 0, action: "AAAA" });
    await failure(400, "GET", "/api/maps/mine/%2e%2e");
    await failure(403, "POST", `${path}/action`, { key: "wrong", ply: 0, action: "ABCD" });
    await failure(403, "POST", "/api/positions", { game: "geister", table: path.slice(-16) });
    await failure(404, "GET", "/api/nothing");
    await failure(404, "GET", "/api/tables/abcdefghijklmnop");
    await failure(405, "DELETE", "/api/about");
    await failure(409, "POST", `${path}/action`, { key: keys[0], ply: 7, action: "ABCD" });
    await failure(409, "GET", `${path}/record`);
    await failure(413, "POST", "/api/maps/check", { text: "x".repeat(4 << 20) });
    const packed = await fetch(`${server.url}/api/tables`, { method: "POST", headers: { "Content-Type": "text/plain" }, body: "{}" });
    expect(packed.status).toBe(415);
    const question: NewAnalysis = { source: { game: "tbs" }, kind: "think", player: "uct", time_ms: 60000 };
    const ids: string[] = [];
    for (let i = 0; i < 8; i++) ids.push((await answer<NewAnalysisAnswer>("NewAnalysisAnswer", "POST", "/api/analyses", question, 201)).id);
    await failure(429, "POST", "/api/analyses", question);
    for (const id of ids) await nothing("DELETE", `/api/analyses/${id}`);
  });

  it("has the types of types.ts", () => {
    const names = seen.map(({ type }) => type);
    const events: Record<string, string[]> = {
      LiveGameEvents: ["table", "step", "chance", "thinking", "offer"],
      AnalysisEvents: ["analysis", "thoughts"],
      JobEvents: ["job", "progress", "board"] satisfies (keyof JobEvents)[],
      JobListEvents: ["jobs", "progress"],
    };
    for (const [type, kinds] of Object.entries(events)) for (const kind of kinds) expect(names).toContain(`${type}["${kind}"]`);
    expect(complaintsAbout(seen)).toEqual([]);
  });

  it("would be found out if it were not", () => {
    const share = { value: 0.5, low: 0, high: 1, games: 3 };
    const wrong: Seen[] = [{ ...share, more: 1 }, { value: 0.5, low: 0, high: 1 }, { ...share, games: null }].map((value) => ({ type: "Share", from: "here", value }));
    // Also for one of several shapes: deep in a game, and in the results of a job.
    const liveGame = seen.find(({ type, value }) => type === "LiveGame" && (value as LiveGame).steps[0]?.state.game === "tbs")?.value as LiveGame;
    const job = seen.find(({ type, value }) => type === "Job" && (value as Job).kind === "repro")?.value as Job;
    const [first, ...others] = liveGame.steps;
    wrong.push({ type: "LiveGame", from: "here", value: { ...liveGame, steps: [{ ...first, state: { ...first?.state, secret: 1 } }, ...others] } });
    wrong.push({ type: "Job", from: "here", value: { ...job, result: { ...job.result, secret: 1 } } });
    const said = complaintsAbout([{ type: "Share", from: "here", value: share }, ...wrong]);
    const expected = [`more"' does not exist`, "'games' is missing", "'null' is not assignable", `secret"' does not exist`, `secret"' does not exist`];
    expect(said).toEqual(expected.map((words) => expect.stringContaining(words) as string));
  });
});

describe.each(["docs/http-api.md", "docs/ja/http-api.md"])("%s", (name) => {
  const page = readFileSync(root + name, "utf8");

  it("has every route, and no other", () => {
    const rows = [...page.matchAll(/^\| (GET|POST|PUT|DELETE) \| (.*?) \|/gm)];
    const told = rows.flatMap(([, method, cell]) =>
      [...(cell ?? "").matchAll(/`(\/api\/[^`?]*)/g)].map(([, path]) => `${method} ${path?.replace(/\b(ID|NAME|FOLDER|N)\b/g, "*")}`),
    );
    expect(told.sort()).toEqual([...routes].sort());
    expect([...routes].filter((route) => !asked.has(route))).toEqual([]); // and all were asked above
  });

  it("has the limits that the code has", () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| ([\d ]+) \|/gm)].map(([, limit, value]) => [limit ?? "", Number(value?.replace(/ /g, ""))] as const);
    expect(rows.length).toBeGreaterThan(20);
    for (const [limit, value] of rows) expect(valuesOf(limit), limit).toContain(value);
  });
});

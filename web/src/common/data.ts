// SPDX-License-Identifier: MIT
//
// Static data of the server: games, players, facts, maps. Each is fetched once and shared.

import { useEffect, useState } from "preact/hooks";

import { api } from "../api/client";
import type { About, EvolvePreset, TournamentPreset, ExperimentInfo, GameInfo, MapInfo, PlayerInfo, RequestInfo, TbsFacts } from "../api/types";

export type Loaded<T> = { state: "waiting" } | { state: "failed"; error: unknown; retry: () => void } | { state: "ready"; value: T };

class Shared<T> {
  private promise: Promise<T> | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly path: string) {}

  get(): Promise<T> {
    if (this.promise === null) {
      this.promise = api.get<T>(this.path);
      this.promise.catch(() => (this.promise = null)); // retried the next time
    }
    return this.promise;
  }

  /** Clears the cache: components fetch it again. */
  refresh(): void {
    this.promise = null;
    for (const tell of this.listeners) tell();
  }

  listen(tell: () => void): () => void {
    this.listeners.add(tell);
    return () => void this.listeners.delete(tell);
  }
}

export const shared = {
  about: new Shared<About>("/api/about"),
  games: new Shared<GameInfo[]>("/api/games"),
  players: new Shared<PlayerInfo[]>("/api/players"),
  tbs: new Shared<TbsFacts>("/api/tbs"),
  maps: new Shared<MapInfo[]>("/api/maps"),
  experiments: new Shared<ExperimentInfo[]>("/api/experiments"),
  tournamentPresets: new Shared<TournamentPreset[]>("/api/presets/tournament"),
  evolvePresets: new Shared<EvolvePreset[]>("/api/presets/evolve"),
  requests: new Shared<RequestInfo>("/api/requests"),
};

/** What a request brings; asked again when a dependency changes. */
export function useLoaded<T>(load: () => Promise<T>, dependencies: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "waiting" });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let gone = false;
    setLoaded({ state: "waiting" });
    load().then(
      (value) => gone || setLoaded({ state: "ready", value }),
      (error: unknown) => gone || setLoaded({ state: "failed", error, retry: () => setRound((n) => n + 1) }),
    );
    return () => void (gone = true);
  }, [...dependencies, round]);
  return loaded;
}

/** The same for what a screen can do without. */
export function useOptional<T>(load: () => Promise<T> | null, dependencies: readonly unknown[]): T | null {
  const loaded = useLoaded(() => load() ?? Promise.resolve(null), dependencies);
  return loaded.state === "ready" ? loaded.value : null;
}

export function useShared<T>(source: Shared<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "waiting" });
  useEffect(() => {
    let gone = false;
    const load = () => {
      source.get().then(
        (value) => gone || setLoaded({ state: "ready", value }),
        (error: unknown) => gone || setLoaded({ state: "failed", error, retry: () => source.refresh() }),
      );
    };
    const stop = source.listen(load);
    load();
    return () => {
      gone = true;
      stop();
    };
  }, [source]);
  return loaded;
}

export interface Range {
  low?: number;
  high?: number;
}

const open: Range & { default: string } = { default: "" };

/** The server's range and default of a member of a request; none while they are loaded. */
export function useRequest(kind: keyof RequestInfo): (name: string) => Range & { default: string } {
  const requests = useShared(shared.requests);
  const rows = requests.state === "ready" ? requests.value[kind] : [];
  return (name) => rows.find((row) => row.name === name) ?? open;
}

/** The range alone, for a field. */
export function useRange(kind: keyof RequestInfo): (name: string) => Range {
  const request = useRequest(kind);
  return (name) => {
    const { low, high } = request(name);
    return { ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) };
  };
}

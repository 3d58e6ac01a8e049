// SPDX-License-Identifier: MIT
//
// Actions for the shown position: analyse it, continue it, copy its link.

import { useState } from "preact/hooks";

import { api } from "../api/client";
import type { NewLiveGameAnswer, Side, LiveGame } from "../api/types";
import { sideName } from "../app/names";
import { go, href } from "../app/route";
import { useText } from "../app/text";
import { Button, ErrorNote, Panel } from "../common/parts";
import { stateAt } from "./follow";
import type { GamePlace } from "./game";
import { playHere } from "./play_here";
import { words } from "./text";

function addressOf(place: GamePlace, shown: number): string {
  const query = { at: String(shown) };
  const hash = place.kind === "live" ? href("watch", [place.id], query) : href("watch", ["job", place.job, place.game], query);
  return new URL(hash, location.href).href;
}

/** A tournament game is not a live game: one is created from its record. */
async function liveGameOf(place: GamePlace): Promise<{ table: string; key?: string }> {
  if (place.kind === "live") return place.key === undefined ? { table: place.id } : { table: place.id, key: place.key };
  const record = await api.get<unknown>(`/api/jobs/${encodeURIComponent(place.job)}/games/${place.game}/record`);
  const { id } = await api.post<NewLiveGameAnswer>("/api/tables/load", { record });
  return { table: id };
}

function CopyLink(props: { place: GamePlace; shown: number }) {
  const t = useText(words);
  const [state, setState] = useState<"idle" | "copied" | "by hand">("idle");
  const address = addressOf(props.place, props.shown);
  const copy = () => {
    const done = navigator.clipboard?.writeText(address) ?? Promise.reject(new Error("no clipboard"));
    done.then(
      () => setState("copied"),
      () => setState("by hand"),
    );
  };
  return (
    <>
      <Button onClick={copy}>{t("copy_link")}</Button>
      <span class="small quiet" role="status">{state === "copied" && t("copied")}</span>
      {state === "by hand" && (
        <label class="watch-address">
          <span class="small">{t("copy_by_hand")}</span>
          <input type="text" readOnly value={address} onFocus={(event) => event.currentTarget.select()} />
        </label>
      )}
    </>
  );
}

export function SharePanel(props: { liveGame: LiveGame; place: GamePlace; shown: number }) {
  const t = useText(words);
  const { liveGame, place, shown } = props;
  const [error, setError] = useState<unknown>(null);
  const state = stateAt(liveGame, shown);
  const attempt = (what: Promise<void>) => {
    setError(null);
    what.catch((problem: unknown) => setError(problem));
  };
  const analyse = async () => go("analyse", [], { ...(await liveGameOf(place)), after: String(shown) });
  const sides: Side[] = [0, 1];
  return (
    <Panel title={t("from_here")}>
      <div class="row">
        <Button disabled={state.over} onClick={() => attempt(analyse())}>{t("analyse")}</Button>
        {state.game !== "plain" &&
          liveGame.sees_all &&
          sides.map((side) => (
            <Button key={side} disabled={state.over} onClick={() => attempt(playHere(liveGame.ground, state.text, side))}>
              {t("play_as", { side: sideName(liveGame.ground.game, side) })}
            </Button>
          ))}
        <CopyLink key={shown} place={place} shown={shown} />
      </div>
      {error !== null && <ErrorNote error={error} />}
    </Panel>
  );
}

// SPDX-License-Identifier: MIT
//
// #/maps: all maps as cards.

import { useLayoutEffect, useState } from "preact/hooks";

import type { MapInfo } from "../api/types";
import { useHelp } from "../app/help";
import { number } from "../app/names";
import { go, href } from "../app/route";
import { useText } from "../app/text";
import { shared, useShared } from "../common/data";
import { MapDrawing, MapPicture } from "../common/mappicture";
import { Button, Empty, ErrorNote, Field, Select, SideMark, TextField, Waiting } from "../common/parts";
import { browse, EVERYTHING, nameParts, type Order, type Owner, type Size, type Wanted } from "./browse";
import { isDirty, listDrafts, removeDraft, type Draft } from "./drafts";
import { passOn, useDroppedFile } from "./files";
import { draftPlace } from "./places";
import { words } from "./text";

function MapCard(props: { map: MapInfo }) {
  const t = useText(words);
  const help = useHelp();
  const { map } = props;
  return (
    <a class="maps-card stack gap-2 card" href={href("maps", nameParts(map.name))}>
      <MapPicture name={map.name} />
      <span class="maps-card-head">
        <strong>{map.name.replace(/^mine\//, "")}</strong>
        {map.mine && <span class="maps-badge small">{t("mine")}</span>}
      </span>
      <span class="maps-card-facts quiet small numbers">
        <span>{t("fact_size_value", { width: map.width, height: map.height })}</span>
        <SideMark side={0}>{number(map.units[0])}</SideMark>
        <SideMark side={1}>{number(map.units[1])}</SideMark>
      </span>
      <span class="maps-card-comment quiet small">{help(map.comment, "maps", map.name)}</span>
    </a>
  );
}

function Choice<Value extends string>(props: {
  label: string;
  value: Value;
  options: { value: Value; label: string }[];
  onChange: (value: Value) => void;
}) {
  return (
    <Field label={props.label}>
      <Select {...props} />
    </Field>
  );
}

const owners: Owner[] = ["all", "ours", "mine"];
const sizes: Size[] = ["all", "small", "medium", "large"];
const orders: Order[] = ["name", "cells", "units"];

function Filters(props: { wanted: Wanted; onChange: (wanted: Wanted) => void; found: string }) {
  const t = useText(words);
  const { wanted } = props;
  const set = (part: Partial<Wanted>) => props.onChange({ ...wanted, ...part });
  const ownerOptions = owners.map((value) => ({ value, label: t(`owner_${value}`) }));
  const sizeOptions = sizes.map((value) => ({ value, label: t(`size_${value}`) }));
  const orderOptions = orders.map((value) => ({ value, label: t(`order_${value}`) }));
  return (
    <div class="maps-filters" role="search">
      <TextField label={t("search")} search value={wanted.words} onChange={(text) => set({ words: text })} placeholder={t("search_hint")} />
      <Choice label={t("whose")} value={wanted.owner} options={ownerOptions} onChange={(owner) => set({ owner })} />
      <Choice label={t("size")} value={wanted.size} options={sizeOptions} onChange={(size) => set({ size })} />
      <Choice label={t("order")} value={wanted.order} options={orderOptions} onChange={(order) => set({ order })} />
      <p class="maps-found small quiet numbers" role="status">{props.found}</p>
    </div>
  );
}

// ---- drafts ----

function DraftCard(props: { draft: Draft; onDiscard: () => void }) {
  const t = useText(words);
  const { draft } = props;
  return (
    <li class="maps-draft">
      <MapDrawing map={draft.map} label={draft.name === "" ? t("unnamed") : draft.name} />
      <div class="stack">
        <span>
          <strong>{draft.name === "" ? t("unnamed") : draft.name}</strong>
          <br />
          <span class="small quiet">{draft.from === "" ? t("draft_new") : t("draft_of", { name: draft.from })}</span>
        </span>
        <span class="row">
          <a class="button button-plain" href={draftPlace(draft.from)}>{t("draft_continue")}</a>
          <Button kind="quiet" onClick={props.onDiscard}>{t("draft_discard")}</Button>
        </span>
      </div>
    </li>
  );
}

function Drafts() {
  const t = useText(words);
  const [drafts, setDrafts] = useState(() => listDrafts(localStorage).filter(isDirty));
  if (drafts.length === 0) return null;
  const discard = (draft: Draft) => {
    removeDraft(draft.from, localStorage);
    setDrafts(drafts.filter((one) => one !== draft));
  };
  return (
    <section class="stack" aria-label={t("drafts")}>
      <h2>{t("drafts")}</h2>
      <p class="quiet">{t("drafts_help")}</p>
      <ul class="maps-drafts grid gap-3 list">
        {drafts.map((draft) => (
          <DraftCard key={draft.from} draft={draft} onDiscard={() => discard(draft)} />
        ))}
      </ul>
    </section>
  );
}

// ---- the screen ----

function Cards(props: { maps: MapInfo[]; wanted: Wanted; onAll: () => void }) {
  const t = useText(words);
  if (props.maps.length > 0)
    return (
      <div class="maps-cards">
        {props.maps.map((map) => (
          <MapCard key={map.name} map={map} />
        ))}
      </div>
    );
  const isMine = props.wanted.owner === "mine" && props.wanted.words === "" && props.wanted.size === "all";
  return (
    <Empty text={isMine ? t("none_mine") : t("none_found")}>
      <div class="row">
        {isMine && (
          <a class="button button-main" href={href("maps", ["edit"])}>{t("draw")}</a>
        )}
        <Button onClick={props.onAll}>{t("show_all")}</Button>
      </div>
    </Empty>
  );
}

// The list keeps its state when the user returns from a map.
let lastWanted = EVERYTHING;
let lastScroll = 0;

function useScrollKept(isReady: boolean): void {
  useLayoutEffect(() => {
    if (!isReady) return undefined;
    scrollTo(0, lastScroll);
    return () => void (lastScroll = scrollY);
  }, [isReady]);
}

export function MapList() {
  const t = useText(words);
  const maps = useShared(shared.maps);
  const help = useHelp();
  const [wanted, setWanted] = useState(lastWanted);
  const change = (next: Wanted) => setWanted((lastWanted = next));
  const all = maps.state === "ready" ? maps.value : [];
  const found = browse(all, wanted, (map) => help(map.comment, "maps", map.name));
  useScrollKept(maps.state === "ready");
  useDroppedFile((file) => {
    passOn(file);
    go("maps", ["edit"]);
  });
  return (
    <div class="page stack">
      <header class="spread">
        <div>
          <h1>{t("title")}</h1>
          <p class="quiet">{t("intro")}</p>
        </div>
        <div class="row">
          <a class="button button-main" href={href("maps", ["edit"])}>{t("draw")}</a>
          <a class="button button-plain" href={href("maps", ["evolve"])}>{t("evolve")}</a>
        </div>
      </header>
      <Drafts />
      <Filters
        wanted={wanted}
        onChange={change}
        found={maps.state === "ready" ? t("found", { count: number(found.length), total: number(all.length) }) : ""}
      />
      {maps.state === "waiting" && <Waiting text={t("loading")} height="60vh" />}
      {maps.state === "failed" && <ErrorNote error={maps.error} retry={maps.retry} />}
      {maps.state === "ready" && <Cards maps={found} wanted={wanted} onAll={() => change(EVERYTHING)} />}
    </div>
  );
}

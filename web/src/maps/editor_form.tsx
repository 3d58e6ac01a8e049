// SPDX-License-Identifier: MIT
//
// Fields of a map: description, limits, size.

import { useEffect, useState } from "preact/hooks";

import { api } from "../api/client";
import type { MapCheck, TbsFacts, TbsMap } from "../api/types";
import { useText } from "../app/text";
import { useRange } from "../common/data";
import { Dialog } from "../common/dialog";
import { Button, ErrorNote, Field, NumberField, SelectField, TextField } from "../common/parts";
import { clear, resize, type Anchor } from "./edit";
import { words } from "./text_editor";
import type { Drawing } from "./use_drawing";

export function Notes(props: { drawing: Drawing }) {
  const t = useText(words);
  const { map, edit } = props.drawing;
  const range = useRange("random_map");
  const set = <Name extends keyof TbsMap>(name: Name, value: TbsMap[Name]) => edit((before) => ({ ...before, [name]: value }), name);
  return (
    <div class="stack">
      <Field label={t("comment")}>
        <textarea rows={3} aria-label={t("comment")} value={map.comment ?? ""} onInput={(event) => set("comment", event.currentTarget.value)} />
      </Field>
      <TextField label={t("author")} value={map.author ?? ""} onChange={(author) => set("author", author)} />
      <div class="maps-pair">
        <NumberField label={t("limit")} help={t("limit_help")} value={map.turn_limit} {...range("limit")} onChange={(turns) => set("turn_limit", turns)} />
        <NumberField
          label={t("threshold")}
          help={t("threshold_help")}
          value={map.threshold}
          {...range("threshold")}
          onChange={(hp) => set("threshold", hp)}
        />
      </div>
    </div>
  );
}

// ---- size ----

function SizeForm(props: { drawing: Drawing; facts: TbsFacts }) {
  const t = useText(words);
  const { map, edit } = props.drawing;
  const [columns, setColumns] = useState(map.width - 2);
  const [rows, setRows] = useState(map.height - 2);
  const [anchor, setAnchor] = useState<Anchor>("top-left");
  useEffect(() => {
    setColumns(map.width - 2);
    setRows(map.height - 2);
  }, [map.width, map.height]);
  const changed = resize(map, columns, rows, anchor);
  const lost = map.units.length - changed.units.length;
  const anchors: Anchor[] = ["top-left", "centre", "bottom-right"];
  return (
    <fieldset class="stack">
      <legend>{t("size")}</legend>
      <div class="maps-pair">
        <NumberField label={t("columns")} value={columns} low={1} high={props.facts.cells_max} onChange={setColumns} />
        <NumberField label={t("rows")} value={rows} low={1} high={props.facts.cells_max} onChange={setRows} />
      </div>
      <SelectField label={t("anchor")} value={anchor} options={anchors.map((value) => ({ value, label: t(`anchor_${value}`) }))} onChange={setAnchor} />
      {lost > 0 && <p class="small maps-warn">{t("apply_loses", { count: lost })}</p>}
      <Button disabled={changed === map} onClick={() => edit((before) => resize(before, columns, rows, anchor))}>
        {t("apply")}
      </Button>
    </fieldset>
  );
}

// ---- random maps ----

function randomSeed(): number {
  return Math.floor(Math.random() * 1e6);
}

function RandomDialog(props: { drawing: Drawing; onClose: () => void }) {
  const t = useText(words);
  const range = useRange("random_map");
  const { map } = props.drawing;
  const [settings, setSettings] = useState({ width: map.width - 2, height: map.height - 2, units: 4, seed: randomSeed() });
  const [error, setError] = useState<unknown>(null);
  const set = (part: Partial<typeof settings>) => setSettings({ ...settings, ...part });
  const make = () => {
    api.post<MapCheck>("/api/maps/random", settings).then((made) => {
      const found = made.map;
      if (found !== null) props.drawing.edit((before) => ({ ...found, author: before.author ?? "", comment: before.comment ?? "" }));
      props.onClose();
    }, setError);
  };
  return (
    <Dialog
      title={t("random_title")}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>{t("cancel")}</Button>
          <Button kind="main" onClick={make}>{t("random_make")}</Button>
        </>
      }
    >
      <p>{t("random_text")}</p>
      <div class="maps-pair">
        <NumberField label={t("columns")} value={settings.width} {...range("width")} onChange={(width) => set({ width })} />
        <NumberField label={t("rows")} value={settings.height} {...range("height")} onChange={(height) => set({ height })} />
        <NumberField label={t("random_units")} value={settings.units} {...range("units")} onChange={(units) => set({ units })} />
        <NumberField label={t("random_seed")} value={settings.seed} low={0} high={Number.MAX_SAFE_INTEGER} onChange={(seed) => set({ seed })} />
      </div>
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  );
}

export function Changes(props: { drawing: Drawing; facts: TbsFacts }) {
  const t = useText(words);
  const [asked, setAsked] = useState(false);
  return (
    <details class="maps-changes">
      <summary>{t("more")}</summary>
      <div class="stack">
        <SizeForm drawing={props.drawing} facts={props.facts} />
        <div class="row">
          <Button onClick={() => setAsked(true)}>{t("random")}</Button>
          <Button onClick={() => props.drawing.edit(clear)}>{t("clear")}</Button>
        </div>
      </div>
      {asked && <RandomDialog drawing={props.drawing} onClose={() => setAsked(false)} />}
    </details>
  );
}

// SPDX-License-Identifier: MIT
//
// The maps that an evolution shows: cards, and one of them large.

import { useState } from "preact/hooks";

import { number } from "../app/names";
import { href } from "../app/route";
import { useText } from "../app/text";
import { Dialog } from "../common/dialog";
import { MapDrawing } from "../common/mappicture";
import { Button, ErrorNote, ShareBar } from "../common/parts";
import { nameParts } from "./browse";
import type { Evolved } from "./evolution";
import { saveText } from "./files";
import { editMap, judge, playText } from "./launch";
import { LargeBoard, MapFacts, RemarkList } from "./pieces";
import { SaveDialog } from "./save_dialog";
import { words } from "./text_evolve";
import { words as judging } from "./text_judge";

function fitnessTold(value: number | null, most: number | null): string {
  return value === null ? "–" : number(value, (most ?? 1) > 10 ? 0 : 2);
}

export function FitnessFigures(props: { one: Evolved; most: number | null }) {
  const t = useText(words);
  const { one, most } = props;
  return (
    <dl class="maps-fitness small numbers">
      <dt>{t("fitness_selected")}</dt>
      <dd>{fitnessTold(one.fitness, most)}</dd>
      <dt>{t("fitness_fresh")}</dt>
      <dd>{one.fresh ? fitnessTold(one.fitnessFresh, most) : "–"}</dd>
    </dl>
  );
}

export function EvolvedCard(props: { one: Evolved; most: number | null; saved: string | undefined; onOpen: () => void }) {
  const t = useText(words);
  const { one } = props;
  const name = t("map_number", { id: one.id });
  return (
    <article class="stack gap-2 card">
      <button type="button" class="maps-evolved-picture" aria-label={`${t("open")}: ${name}`} onClick={props.onOpen}>
        {one.map !== null && <MapDrawing map={one.map} label={name} />}
      </button>
      <div class="maps-card-head">
        <strong>{name}</strong>
        <span class="small quiet">{t("born", { generation: one.generation })}</span>
      </div>
      <FitnessFigures one={one} most={props.most} />
      <ShareBar share={one.red} label={t("red")} centre={0.5} />
      <ShareBar share={one.strength} label={t("strength")} centre={0.5} />
      <p class="small quiet numbers">
        {one.turns === null ? "–" : t("turns", { turns: number(one.turns, 1) })}
        {props.saved !== undefined && (
          <>
            {" · "}
            <a href={href("maps", nameParts(props.saved))}>{t("saved_as", { name: props.saved })}</a>
          </>
        )}
      </p>
    </article>
  );
}

function EvolvedActions(props: { one: Evolved; job: string; onSaved: (name: string) => void }) {
  const t = useText(words);
  const { one } = props;
  const name = `evolved-${one.id}`;
  const [asked, setAsked] = useState(false);
  const [error, setError] = useState<unknown>(null);
  return (
    <div class="stack">
      <div class="maps-actions grid gap-2">
        <Button kind="main" onClick={() => setAsked(true)}>
          {t("save")}
        </Button>
        <Button onClick={() => void playText(one.text).catch(setError)}>{t("play")}</Button>
        <Button onClick={() => void judge({ map_text: one.text }).catch(setError)}>{t("judge")}</Button>
        <Button disabled={one.map === null} onClick={() => one.map !== null && editMap(one.map, `evolved:${props.job}:${one.id}`, name)}>
          {t("edit")}
        </Button>
        <Button onClick={() => saveText(one.text, `${name}.tbsmap`)}>{t("download")}</Button>
      </div>
      {error !== null && <ErrorNote error={error} />}
      {asked && <SaveDialog id={one.id} text={one.text} wanted={name} onClose={() => setAsked(false)} onSaved={props.onSaved} />}
    </div>
  );
}

export function EvolvedLarge(props: {
  one: Evolved;
  most: number | null;
  job: string;
  saved: string | undefined;
  onSaved: (name: string) => void;
  onClose: () => void;
}) {
  const t = useText(words);
  const j = useText(judging);
  const { one } = props;
  const parents = one.parents.length === 0 ? t("newborn") : t("parents", { parents: one.parents.join(", ") });
  return (
    <Dialog wide title={t("map_number", { id: one.id })} onClose={props.onClose} actions={<Button onClick={props.onClose}>{t("close")}</Button>}>
      <div class="maps-large">
        {one.map !== null && <LargeBoard map={one.map} name={t("map_number", { id: one.id })} />}
        <div class="stack">
          <EvolvedActions one={one} job={props.job} onSaved={props.onSaved} />
          {props.saved !== undefined && <a href={href("maps", nameParts(props.saved))}>{t("saved_as", { name: props.saved })}</a>}
          <p class="small quiet">
            {t("born", { generation: one.generation })} · {parents}
            <br />
            {t(one.fresh ? "fresh" : "selected", { games: number(one.games) })}
          </p>
          <FitnessFigures one={one} most={props.most} />
          <ShareBar share={one.red} label={t("red")} centre={0.5} />
          <ShareBar share={one.asRed} label={j("as_red")} centre={0.5} />
          <ShareBar share={one.asBlue} label={j("as_blue")} centre={0.5} />
          <ShareBar share={one.decisive} label={t("decisive")} centre={0.5} />
          <RemarkList remarks={one.remarks} names={{ good: j("good"), note: j("note"), fault: j("fault") }} />
          {one.map !== null && <MapFacts map={one.map} stats={null} />}
        </div>
      </div>
    </Dialog>
  );
}

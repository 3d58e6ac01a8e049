// SPDX-License-Identifier: MIT
//
// The maps that an evolution shows: cards, and one of them large.

import { useState } from "preact/hooks";

import type { EvolvedMap } from "../api/types";
import { number, percent } from "../app/names";
import { href } from "../app/route";
import { useText } from "../app/text";
import { Dialog } from "../common/dialog";
import { MapDrawing } from "../common/mappicture";
import { Button, ErrorNote, ShareBar } from "../common/parts";
import { nameParts } from "./browse";
import { isFresh, parentsOf, sharesOf, strengthSelected } from "./evolution";
import { saveText } from "./files";
import { editMap, judge, playText } from "./launch";
import { LargeBoard, MapFacts, RemarkList } from "./pieces";
import { SaveDialog } from "./save_dialog";
import { words } from "./text_evolve";
import { words as judging } from "./text_judge";

function fitnessTold(value: number | null, most: number | null): string {
  return value === null ? "–" : number(value, (most ?? 1) > 10 ? 0 : 2);
}

export function FitnessFigures(props: { one: EvolvedMap; most: number | null }) {
  const t = useText(words);
  const { one, most } = props;
  const selected = strengthSelected(one);
  return (
    <dl class="maps-fitness small numbers">
      <dt>{t("fitness_selected")}</dt>
      <dd>{fitnessTold(one.fitness, most)}</dd>
      <dt>{t("fitness_fresh")}</dt>
      <dd>{isFresh(one) ? fitnessTold(one.fitness_fresh, most) : "–"}</dd>
      {isFresh(one) && selected !== null && (
        <>
          <dt>{t("strength_selected")}</dt>
          <dd>{percent(selected)}</dd>
        </>
      )}
    </dl>
  );
}

export function EvolvedCard(props: { one: EvolvedMap; most: number | null; saved: string | undefined; onOpen: () => void }) {
  const t = useText(words);
  const { one } = props;
  const name = t("map_number", { id: one.id });
  const { red, strength } = sharesOf(one);
  const { turns } = one.qualities;
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
      <ShareBar share={red} label={t("red")} centre={0.5} />
      <ShareBar share={strength} label={t("strength")} centre={0.5} />
      <p class="small quiet numbers">
        {turns === null ? "–" : t("turns", { turns: number(turns, 1) })}
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

function EvolvedActions(props: { one: EvolvedMap; job: string; onSaved: (name: string) => void }) {
  const t = useText(words);
  const { one } = props;
  const name = `evolved-${one.id}`;
  const [asked, setAsked] = useState(false);
  const [error, setError] = useState<unknown>(null);
  return (
    <div class="stack">
      <div class="maps-actions grid gap-2">
        <Button kind="main" onClick={() => setAsked(true)}>{t("save")}</Button>
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
  one: EvolvedMap;
  most: number | null;
  job: string;
  saved: string | undefined;
  onSaved: (name: string) => void;
  onClose: () => void;
}) {
  const t = useText(words);
  const j = useText(judging);
  const { one } = props;
  const parents = parentsOf(one);
  const { red, asRed, asBlue, decisive } = sharesOf(one);
  return (
    <Dialog wide title={t("map_number", { id: one.id })} onClose={props.onClose} actions={<Button onClick={props.onClose}>{t("close")}</Button>}>
      <div class="maps-large">
        {one.map !== null && <LargeBoard map={one.map} name={t("map_number", { id: one.id })} />}
        <div class="stack">
          <EvolvedActions one={one} job={props.job} onSaved={props.onSaved} />
          {props.saved !== undefined && <a href={href("maps", nameParts(props.saved))}>{t("saved_as", { name: props.saved })}</a>}
          <p class="small quiet">
            {t("born", { generation: one.generation })} · {parents === "" ? t("newborn") : t("parents", { parents })}
            <br />
            {t(isFresh(one) ? "fresh" : "selected", { games: number(one.qualities.games) })}
          </p>
          <FitnessFigures one={one} most={props.most} />
          <ShareBar share={red} label={t("red")} centre={0.5} />
          <ShareBar share={asRed} label={j("as_red")} centre={0.5} />
          <ShareBar share={asBlue} label={j("as_blue")} centre={0.5} />
          <ShareBar share={decisive} label={t("decisive")} centre={0.5} />
          <RemarkList remarks={one.remarks} names={{ good: j("good"), note: j("note"), fault: j("fault") }} />
          {one.map !== null && <MapFacts map={one.map} stats={null} />}
        </div>
      </div>
    </Dialog>
  );
}

// SPDX-License-Identifier: MIT
//
// Exports the game as a file: animation, single pictures, record.

import { useEffect, useRef, useState } from "preact/hooks";

import type { LiveGame, RecordForm } from "../api/types";
import { number, seatName } from "../app/names";
import { useText } from "../app/text";
import { Button, ErrorNote, Panel, SelectField } from "../common/parts";
import { type FileKind, makeFile, saveFile } from "./make";
import type { SpectatorView } from "./spectator_view";
import { words } from "./text";

/** The address of the record in that format; null: there is none. */
export type RecordAddress = (form: RecordForm) => string | null;

type Work = { state: "idle" } | { state: "drawing"; done: number; total: number } | { state: "saved"; name: string; bytes: number };

const widths = ["320", "480", "720", "1080"] as const;
const paces = ["0.25", "0.5", "1", "2"] as const;

const recordTitles = { json: "record_json", sgf: "record_sgf", log: "record_log" } as const;

function RecordLinks(props: { liveGame: LiveGame; address: RecordAddress }) {
  const t = useText(words);
  const { id, record_forms: forms } = props.liveGame;
  if (forms === null || forms.length === 0) return <p class="small quiet">{t(forms === null ? "record_none" : "record_later")}</p>;
  return (
    <div class="row">
      {forms.map((form) => {
        const address = props.address(form);
        return address !== null && <a key={form} class="button" href={address} download={`${id}.${form}`}>{t(recordTitles[form])}</a>;
      })}
    </div>
  );
}

function useMaker(liveGame: LiveGame, view: SpectatorView, title: string) {
  const [work, setWork] = useState<Work>({ state: "idle" });
  const [error, setError] = useState<unknown>(null);
  const run = useRef(0); // a newer run, or the end of the page, cancels the older
  useEffect(() => () => void run.current++, []);
  const make = async (kind: FileKind, width: number, moveMs: number) => {
    const mine = ++run.current;
    const isCancelled = () => run.current !== mine;
    setError(null);
    setWork({ state: "drawing", done: 0, total: liveGame.steps.length + 1 });
    try {
      const onDrawn = (done: number, total: number) => isCancelled() || setWork({ state: "drawing", done, total });
      const blob = await makeFile(kind, { liveGame, view, title, width, moveMs, onDrawn, isCancelled });
      if (blob === null) return;
      const name = `senjutsu-${liveGame.id}.${kind}`;
      saveFile(blob, name);
      setWork({ state: "saved", name, bytes: blob.size });
    } catch (problem) {
      setError(problem);
      setWork({ state: "idle" });
    }
  };
  const cancel = () => {
    run.current++;
    setWork({ state: "idle" });
  };
  return { work, error, make, cancel };
}

export function ExportPanel(props: { liveGame: LiveGame; view: SpectatorView; record: RecordAddress }) {
  const t = useText(words);
  const { liveGame } = props;
  const [width, setWidth] = useState<(typeof widths)[number]>("480");
  const [pace, setPace] = useState<(typeof paces)[number]>("0.5");
  const title = t("versus", { first: seatName(liveGame.seats[0]), second: seatName(liveGame.seats[1]) });
  const { work, error, make, cancel } = useMaker(liveGame, props.view, title);
  const isDrawing = work.state === "drawing";
  const kinds = { gif: t("gif"), svg: t("animated_svg"), zip: t("frames_zip") };
  return (
    <Panel title={t("export")}>
      <RecordLinks liveGame={liveGame} address={props.record} />
      {liveGame.start.game !== "plain" && (
        <>
          <div class="watch-export">
            <SelectField label={t("picture_size")} value={width} onChange={setWidth} options={widths.map((value) => ({ value, label: `${value} px` }))} />
            <SelectField label={t("picture_pace")} value={pace} onChange={setPace} options={paces.map((value) => ({ value, label: value }))} />
          </div>
          <div class="row">
            {(Object.keys(kinds) as FileKind[]).map((kind) => (
              <Button key={kind} disabled={isDrawing} onClick={() => void make(kind, Number(width), 1000 * Number(pace))}>
                {kinds[kind]}
              </Button>
            ))}
          </div>
          <div class="watch-export-state quiet small" role="status">
            {isDrawing && (
              <>
                <span>{work.done < work.total ? t("drawing", { done: work.done, total: work.total }) : t("packing")}</span>
                <Button kind="quiet" onClick={cancel}>{t("cancel")}</Button>
              </>
            )}
            {work.state === "saved" && <span>{t("saved", { name: work.name, size: `${number(work.bytes / 1024)} kB` })}</span>}
          </div>
        </>
      )}
      {error !== null && <ErrorNote error={error} />}
    </Panel>
  );
}

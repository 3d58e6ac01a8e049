// SPDX-License-Identifier: MIT
//
// Exports the game as a file: animation, single pictures, record.

import { useEffect, useRef, useState } from "preact/hooks";

import type { LiveGame } from "../api/types";
import { gameOf, isTactical, number, seatName } from "../app/names";
import { useText } from "../app/text";
import { Button, ErrorNote, Panel, SelectField } from "../common/parts";
import { type FileKind, makeFile, saveFile } from "./make";
import type { SpectatorView } from "./spectator_view";
import { words } from "./text";

/** Addresses of the record in each format. */
export interface RecordLinks {
  json: string;
  other?: string; // as SGF or server log
}

type Work = { state: "idle" } | { state: "drawing"; done: number; total: number } | { state: "saved"; name: string; bytes: number };

const widths = ["320", "480", "720", "1080"] as const;
const paces = ["0.25", "0.5", "1", "2"] as const;

function RecordLinksRow(props: { liveGame: LiveGame; links: RecordLinks }) {
  const t = useText(words);
  const { liveGame, links } = props;
  if (!liveGame.over && gameOf(liveGame.ground.game) === "geister") return <p class="small quiet">{t("record_later")}</p>;
  return (
    <div class="row">
      <a class="button" href={links.json} download={`${liveGame.id}.json`}>{t("record_json")}</a>
      {links.other !== undefined && (
        <a class="button" href={links.other} download={`${liveGame.id}.${isTactical(liveGame.ground.game) ? "sgf" : "log"}`}>
          {t(isTactical(liveGame.ground.game) ? "record_sgf" : "record_log")}
        </a>
      )}
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

export function ExportPanel(props: { liveGame: LiveGame; view: SpectatorView; links: RecordLinks }) {
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
      <RecordLinksRow liveGame={liveGame} links={props.links} />
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

// SPDX-License-Identifier: MIT
//
// #/maps/edit: drawing a map.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import type { Cell, TbsFacts } from "../api/types";
import { href } from "../app/route";
import { useText } from "../app/text";
import { useSubject } from "../app/title";
import { TbsBoard } from "../board/tbs";
import { shared, useShared } from "../common/data";
import { useHotkey } from "../common/keys";
import { mapDetails, unitsOf } from "../common/mappicture";
import { Button, ErrorNote, Panel, Waiting } from "../common/parts";
import "./editor.css";
import { isDirty, loadDraft, removeDraft, type Draft } from "./drafts";
import { makeSymmetric, newMap, removeUnits } from "./edit";
import { Files, Saving } from "./editor_file";
import { Changes, Notes } from "./editor_form";
import { JudgePanel } from "./editor_judge";
import { SymmetryChoice, TerrainChoice, ToolChoice, UnitChoice } from "./editor_tools";
import { LeavingGuard } from "./leaving";
import { cellsOf } from "./messages";
import { MapFacts, problemCells, ProblemList } from "./pieces";
import { fingerprint, toName } from "./serial";
import { partnerOf, symmetryFits } from "./symmetry";
import { words } from "./text_editor";
import { needsTwo, pick, type Hand } from "./tools";
import { useCheck, type Checked } from "./use_check";
import { useDrawing, type Drawing } from "./use_drawing";

const FIRST_HAND: Hand = {
  tool: "paint",
  terrain: 3,
  brush: { type: "infantry", side: "red", hp: 10, done: false },
  symmetry: "turn",
};

// ---- undo and redo by keys ----

function useUndoKeys(drawing: Drawing): void {
  const latest = useRef(drawing);
  latest.current = drawing;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isText = event.target instanceof Element && event.target.closest("input:not([type=checkbox]), textarea, dialog") !== null;
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isText) return;
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      if (key === "y" || event.shiftKey) latest.current.redo();
      else latest.current.undo();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

// ---- the board ----

interface Drawable {
  drawing: Drawing;
  hand: Hand;
  onHand: (part: Partial<Hand>) => void;
}

/** With the keyboard a stroke is one cell, or two cells chosen one after the other. */
function useKeyStrokes({ drawing, hand }: Drawable) {
  const [held, setHeld] = useState<Cell | null>(null);
  useEffect(() => setHeld(null), [hand.tool]);
  useHotkey("Escape", () => setHeld(null), held !== null);
  const choose = (cell: Cell) => {
    if (held === null && needsTwo(drawing.map, cell, hand.tool)) return setHeld(cell);
    drawing.stroke(held ?? cell, "start", hand);
    if (held !== null) drawing.stroke(cell, "over", hand);
    drawing.stroke(cell, "end", hand);
    setHeld(null);
  };
  return { held, choose };
}

function DrawingBoard(props: Drawable & { pointed: Cell[]; problems: Cell[] }) {
  const t = useText(words);
  const { drawing, hand, onHand } = props;
  const { map } = drawing;
  const [hovered, setHovered] = useState<Cell | null>(null);
  const { held, choose } = useKeyStrokes(props);
  const units = useMemo(() => unitsOf(map), [map]);
  useHotkey("Delete", () => hovered !== null && drawing.edit((before) => removeUnits(before, [hovered], hand.symmetry)));

  const take = (cell: Cell) => onHand(pick(map, cell, hand));
  const partner = hovered === null || hand.symmetry === "none" ? null : partnerOf(map, hand.symmetry, hovered);
  const marks = [
    ...props.problems.map((cell) => ({ cell, mark: "problem" as const })),
    ...props.pointed.map((cell) => ({ cell, mark: "target" as const })),
    ...(partner === null ? [] : [{ cell: partner, mark: "to" as const }]),
    ...(held === null ? [] : [{ cell: held, mark: "selected" as const }]),
  ];
  const holding = hand.tool === "move" ? "held_move" : "held_rectangle";
  const help = held === null ? t("keys") : `${t(holding, { x: held[0], y: held[1] })} ${t("escape")}`;
  return (
    <div class="maps-board">
      <TbsBoard
        map={map}
        units={units}
        marks={marks}
        label={t("board", { width: map.width - 2, height: map.height - 2 })}
        onHover={setHovered}
        onDrag={(cell, phase) => (hand.tool === "pick" ? phase === "start" && take(cell) : drawing.stroke(cell, phase, hand))}
        onCell={(cell, how) => (how.button === 2 || hand.tool === "pick" ? take(cell) : choose(cell))}
      />
      <p class="maps-keys small quiet" role="status">{help}</p>
    </div>
  );
}

// ---- beside it ----

function CheckPanel(props: { checked: Checked; drawing: Drawing; onPoint: (cells: Cell[]) => void }) {
  const t = useText(words);
  const { checked, drawing } = props;
  const { check, state } = checked;
  const note = state === "checking" ? t("checking") : state === "failed" ? t("check_failed") : "";
  return (
    <Panel title={t("check")} actions={<span class="small quiet">{note}</span>}>
      <div class="maps-check">
        {check !== null && (
          <ProblemList check={check} onPoint={(message) => props.onPoint(message === null ? [] : cellsOf(message, drawing.map))} />
        )}
      </div>
      <details open>
        <summary>{t("facts")}</summary>
        <MapFacts map={drawing.map} stats={check?.stats ?? null} />
      </details>
    </Panel>
  );
}

function UndoRow(props: { drawing: Drawing }) {
  const t = useText(words);
  const { drawing } = props;
  return (
    <div class="row">
      <Button disabled={!drawing.canUndo} onClick={drawing.undo} label={`${t("undo")} (Ctrl+Z)`}>
        ↶ {t("undo")}
      </Button>
      <Button disabled={!drawing.canRedo} onClick={drawing.redo} label={`${t("redo")} (Ctrl+Y)`}>
        ↷ {t("redo")}
      </Button>
    </div>
  );
}

function Restored(props: { from: string; onDiscard: () => void }) {
  const t = useText(words);
  return (
    <div class="note maps-restored" role="status">
      <span>{t("restored")}</span>
      <Button onClick={props.onDiscard}>{props.from === "" ? t("new_map") : t("discard")}</Button>
    </div>
  );
}

function Editor(props: { start: Draft; restored: boolean; facts: TbsFacts; onDiscard: () => void }) {
  const t = useText(words);
  const { facts } = props;
  const drawing = useDrawing(props.start, { most: facts.side_units_max });
  const { map } = drawing;
  const [chosen, setHand] = useState(FIRST_HAND);
  const [pointed, setPointed] = useState<Cell[]>([]);
  const checked = useCheck(map);
  useUndoKeys(drawing);
  const hand: Hand = symmetryFits(chosen.symmetry, map) ? chosen : { ...chosen, symmetry: "none" };
  const onHand = (part: Partial<Hand>) => setHand((before) => ({ ...before, ...part }));
  const problems = useMemo(() => (checked.check === null ? [] : problemCells(checked.check.problems, map)), [checked, map]);
  const tools = { hand, onHand, facts, map };
  return (
    <div class="maps-editor">
      <div class="maps-desk">
        <div class="maps-left stack">
          <ToolChoice hand={hand} onHand={onHand} />
          <TerrainChoice {...tools} />
          <UnitChoice {...tools} />
          <SymmetryChoice {...tools} onMake={() => drawing.edit((before) => makeSymmetric(before, hand.symmetry))} />
        </div>
        <div class="maps-middle stack">
          {props.restored && <Restored from={props.start.from} onDiscard={props.onDiscard} />}
          <UndoRow drawing={drawing} />
          <DrawingBoard drawing={drawing} hand={hand} onHand={onHand} pointed={pointed} problems={problems} />
        </div>
      </div>
      <div class="maps-right stack">
        <Panel title={t("map")}>
          <Saving drawing={drawing} checked={checked} />
          <Files drawing={drawing} checked={checked} />
          <Changes drawing={drawing} facts={facts} />
        </Panel>
        <CheckPanel checked={checked} drawing={drawing} onPoint={setPointed} />
        <JudgePanel map={map} from={drawing.from} checked={checked} />
        <Panel title={t("edit")}>
          <Notes drawing={drawing} />
        </Panel>
      </div>
      <LeavingGuard dirty={drawing.dirty} />
    </div>
  );
}

// ---- where a drawing begins ----

type Begun = { draft: Draft; restored: boolean };

async function begin(from: string, isDraft: boolean): Promise<Begun> {
  const kept = loadDraft(from, localStorage);
  if (kept !== null && (isDraft || isDirty(kept))) return { draft: kept, restored: !isDraft };
  if (from === "" || isDraft) {
    const map = newMap(8, 8);
    return { draft: { from: "", name: "", map, saved: fingerprint(map), at: Date.now() }, restored: false };
  }
  const details = await mapDetails(from);
  const map = { ...details.map, author: details.author, comment: details.comment };
  const name = details.mine ? toName(from) : `${toName(from)}-2`.slice(0, 64);
  return { draft: { from, name, map, saved: fingerprint(map), at: Date.now() }, restored: false };
}

export function EditorPage(props: { from: string; isDraft: boolean }) {
  const t = useText(words);
  const facts = useShared(shared.tbs);
  const [begun, setBegun] = useState<Begun | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let gone = false;
    begin(props.from, props.isDraft).then((found) => gone || setBegun(found), (why: unknown) => gone || setError(why));
    return () => void (gone = true);
  }, [round]);
  const again = () => {
    setBegun(null);
    setError(null);
    setRound((n) => n + 1);
  };
  const discard = () => {
    removeDraft(props.from, localStorage);
    again();
  };
  const isWaiting = error === null && facts.state !== "failed" && (begun === null || facts.state === "waiting");
  const title = props.from === "" || props.isDraft ? t("title") : t("title_of", { name: props.from });
  useSubject(title);
  return (
    <div class="page maps-wide stack">
      <header>
        <a href={href("maps")}>← {t("back")}</a>
        <h1>{title}</h1>
      </header>
      {error !== null && <ErrorNote error={error} retry={again} />}
      {facts.state === "failed" && <ErrorNote error={facts.error} retry={facts.retry} />}
      {isWaiting && <Waiting text={t("loading")} height="80vh" />}
      {begun !== null && facts.state === "ready" && (
        <Editor key={round} start={begun.draft} restored={begun.restored} facts={facts.value} onDiscard={discard} />
      )}
    </div>
  );
}

// SPDX-License-Identifier: MIT
//
// Saving a drawing, and opening maps: saved maps, files, text.

import { useEffect, useRef, useState } from "preact/hooks";

import { api } from "../api/client";
import type { MapCheck, MapDetails, MapProblem, TbsMap } from "../api/types";
import { go, href } from "../app/route";
import { useLanguage, useText } from "../app/text";
import { shared, useShared } from "../common/data";
import { Dialog } from "../common/dialog";
import { Button, ErrorNote, TextField } from "../common/parts";
import { MapsPicker } from "../common/pickers";
import { Question } from "../common/question";
import { nameParts } from "./browse";
import { readMapFile, saveText, takeOver, useDroppedFile } from "./files";
import { sentenceIn } from "./messages";
import { isName, readMap, toName, toTbsMap } from "./serial";
import { words } from "./text_editor";
import type { Checked } from "./use_check";
import type { Drawing } from "./use_drawing";

// ---- saving ----

function useSave(drawing: Drawing): { save: () => void; saving: boolean; error: unknown } {
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = () => {
    const { name, map } = drawing;
    setSaving(true);
    setError(null);
    api
      .put<MapDetails>(`/api/maps/mine/${encodeURIComponent(name)}`, { map: toTbsMap(map) })
      .then(() => {
        drawing.savedAs(name, map);
        history.replaceState(null, "", href("maps", ["edit", "mine", name])); // a reload opens the saved map
        shared.maps.refresh();
      }, setError)
      .finally(() => setSaving(false));
  };
  return { save, saving, error };
}

function statusOf(drawing: Drawing, t: (key: "saved" | "unsaved" | "unsaved_lost", params?: Record<string, string>) => string): string {
  if (drawing.dirty) return t(drawing.kept ? "unsaved" : "unsaved_lost");
  return drawing.from.startsWith("mine/") ? t("saved", { name: drawing.from }) : "";
}

export function Saving(props: { drawing: Drawing; checked: Checked }) {
  const t = useText(words);
  const { drawing, checked } = props;
  const maps = useShared(shared.maps);
  const { save, saving, error } = useSave(drawing);
  const [asked, setAsked] = useState(false);
  const { name } = drawing;
  const blocked = checked.check !== null && !checked.check.playable;
  const wrong = name !== "" && !isName(name);
  const isTaken = maps.state === "ready" && drawing.from !== `mine/${name}` && maps.value.some((map) => map.name === `mine/${name}`);
  return (
    <div class="maps-save">
      <div class="maps-save-row">
        <TextField
          label={t("name")}
          help={t("name_help")}
          {...(wrong ? { error: t("name_wrong") } : {})}
          value={name}
          onChange={drawing.rename}
          invalid={wrong}
        />
        <Button kind="main" disabled={!isName(name) || blocked || saving} onClick={() => (isTaken ? setAsked(true) : save())}>
          {saving ? t("saving") : t("save")}
        </Button>
      </div>
      <p class="small quiet maps-status" role="status">{blocked ? t("save_wrong") : statusOf(drawing, t)}</p>
      {error !== null && <ErrorNote error={error} />}
      {asked && (
        <Question
          title={t("overwrite_title", { name: `mine/${name}` })}
          text={t("overwrite_text")}
          yes={t("overwrite")}
          no={t("cancel")}
          danger
          onYes={() => {
            setAsked(false);
            save();
          }}
          onNo={() => setAsked(false)}
        />
      )}
    </div>
  );
}

// ---- opening ----

/** Parses the text of a map, or returns its errors. */
async function readText(text: string): Promise<{ map: TbsMap } | { problems: MapProblem[] }> {
  const check = await api.post<MapCheck>("/api/maps/check", { text });
  const map = check.map ?? looseMap(text);
  return map === null ? { problems: check.problems } : { map };
}

/** A JSON map that is not playable (yet) can still be edited. */
function looseMap(text: string): TbsMap | null {
  try {
    return readMap(JSON.parse(text));
  } catch {
    return null;
  }
}

function Refused(props: { problems: MapProblem[] }) {
  const t = useText(words);
  const at = useLanguage();
  return (
    <div class="note note-error" role="alert">
      <strong>{t("text_refused")}</strong>
      <ul>
        {props.problems.map((problem) => (
          <li key={problem.text}>
            {problem.line > 0 ? `${problem.line}: ` : ""}
            {sentenceIn(at, problem)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function TextDialog(props: { drawing: Drawing; text: string; onClose: () => void }) {
  const t = useText(words);
  const [text, setText] = useState(props.text);
  const [problems, setProblems] = useState<MapProblem[]>([]);
  const [error, setError] = useState<unknown>(null);
  const take = () => {
    readText(text).then((found) => {
      if ("problems" in found) return setProblems(found.problems);
      props.drawing.edit(() => found.map);
      props.onClose();
    }, setError);
  };
  return (
    <Dialog
      wide
      title={t("as_text_title")}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>{t("close")}</Button>
          <Button kind="main" disabled={text === props.text || text.trim() === ""} onClick={take}>
            {t("use_text")}
          </Button>
        </>
      }
    >
      <p class="quiet">{t("as_text_help")}</p>
      <textarea
        class="mono"
        rows={18}
        spellcheck={false}
        aria-label={t("as_text_title")}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {problems.length > 0 && <Refused problems={problems} />}
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  );
}

/** Reads a file into the drawing: chosen or dropped. */
function useUpload(drawing: Drawing, onProblems: (problems: MapProblem[]) => void, onError: (error: unknown) => void) {
  return async (file: File) => {
    onProblems([]);
    onError(null);
    try {
      const found = await readText(await readMapFile(file));
      if ("problems" in found) return onProblems(found.problems);
      drawing.edit(() => found.map);
      if (drawing.name === "") drawing.rename(toName(file.name));
    } catch (error) {
      onError(error);
    }
  };
}

/** The current drawing as text: from the last check, or from a new one if the drawing has changed since. */
async function textNow(map: TbsMap, checked: Checked): Promise<string> {
  if (checked.of === map && checked.check !== null) return checked.check.text;
  return (await api.post<MapCheck>("/api/maps/check", { map: toTbsMap(map) })).text;
}

export function Files(props: { drawing: Drawing; checked: Checked }) {
  const t = useText(words);
  const { drawing, checked } = props;
  const [open, setOpen] = useState<"text" | "maps" | null>(null);
  const [problems, setProblems] = useState<MapProblem[]>([]);
  const [error, setError] = useState<unknown>(null);
  const input = useRef<HTMLInputElement>(null);
  const upload = useUpload(drawing, setProblems, setError);
  useDroppedFile((file) => void upload(file));
  useEffect(() => {
    const passed = takeOver();
    if (passed !== null) void upload(passed);
  }, []);
  const text = checked.check?.text ?? "";
  const close = () => setOpen(null);
  const download = () =>
    void textNow(drawing.map, checked).then((now) => saveText(now, `${drawing.name || "map"}.tbsmap`), setError);
  return (
    <div class="stack">
      <div class="row">
        <Button onClick={() => setOpen("maps")}>{t("load")}</Button>
        <Button onClick={() => input.current?.click()}>{t("upload")}</Button>
        <Button disabled={text === ""} onClick={download}>{t("download")}</Button>
        <Button onClick={() => setOpen("text")}>{t("as_text")}</Button>
      </div>
      <p class="small quiet">{t("drop_help")}</p>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept=".tbsmap,.json,.txt"
        tabIndex={-1}
        aria-label={t("upload")}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) void upload(file);
          event.currentTarget.value = "";
        }}
      />
      {problems.length > 0 && <Refused problems={problems} />}
      {error !== null && <ErrorNote error={error} />}
      {open === "text" && (
        <TextDialog drawing={drawing} text={text === "" ? JSON.stringify(toTbsMap(drawing.map), null, 2) : text} onClose={close} />
      )}
      {open === "maps" && (
        <Dialog wide title={t("load_title")} onClose={close} actions={<Button onClick={close}>{t("cancel")}</Button>}>
          <MapsPicker value={[]} onChange={([name]) => name !== undefined && go("maps", ["edit", ...nameParts(name)])} label={t("load_title")} />
        </Dialog>
      )}
    </div>
  );
}

// SPDX-License-Identifier: MIT
//
// Opening a recorded game: a file, or its text pasted. The server reads it and creates a live game for it.

import { useState } from "preact/hooks";

import { api } from "../api/client";
import type { NewLiveGameAnswer } from "../api/types";
import { useText } from "../app/text";
import { Button, ErrorNote, Field } from "../common/parts";
import { decodeText } from "./decode";
import "./style.css";
import { words } from "./text";

export function RecordInput(props: { onOpen: (liveGameId: string) => void }) {
  const t = useText(words);
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const load = async (record: string) => {
    setBusy(true);
    setError(null);
    try {
      const { id } = await api.post<NewLiveGameAnswer>("/api/tables/load", { text: record });
      props.onOpen(id);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const loadFile = async (input: HTMLInputElement) => {
    const chosen = input.files?.[0];
    if (chosen !== undefined) await load(decodeText(new Uint8Array(await chosen.arrayBuffer())));
    input.value = ""; // the same file may be chosen again
  };

  return (
    <div class="stack">
      <Field label={t("record_file")} help={t("record_help")}>
        <label class="button watch-file">
          {t("record_choose")}
          <input
            class="visually-hidden"
            type="file"
            accept=".json,.sgf,.log,.txt"
            disabled={isBusy}
            onChange={(event) => void loadFile(event.currentTarget)}
          />
        </label>
      </Field>
      <Field label={t("record_paste")}>
        <textarea
          class="mono"
          rows={4}
          spellcheck={false}
          aria-label={t("record_paste")}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </Field>
      <div class="row">
        <Button disabled={isBusy || text.trim() === ""} onClick={() => void load(text)}>
          {isBusy ? t("record_reading") : t("record_open")}
        </Button>
      </div>
      {error !== null && <ErrorNote error={error} />}
    </div>
  );
}

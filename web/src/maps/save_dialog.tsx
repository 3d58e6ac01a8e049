// SPDX-License-Identifier: MIT
//
// Saves a generated map under a chosen name.

import { useState } from "preact/hooks";

import { api } from "../api/client";
import type { MapDetails } from "../api/types";
import { useText } from "../app/text";
import { shared, useShared } from "../common/data";
import { Dialog } from "../common/dialog";
import { Button, ErrorNote, TextField } from "../common/parts";
import { freeName, isName } from "./serial";
import { words } from "./text_evolve";

export function SaveDialog(props: { id: number; text: string; wanted: string; onClose: () => void; onSaved: (name: string) => void }) {
  const t = useText(words);
  const maps = useShared(shared.maps);
  const isTaken = (name: string) => maps.state === "ready" && maps.value.some((map) => map.name === `mine/${name}`);
  const [typed, setName] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const name = typed ?? freeName(props.wanted, isTaken);
  const taken = isTaken(name);
  const save = () => {
    api.put<MapDetails>(`/api/maps/mine/${encodeURIComponent(name)}`, { text: props.text }).then(() => {
      shared.maps.refresh();
      props.onSaved(`mine/${name}`);
      props.onClose();
    }, setError);
  };
  return (
    <Dialog
      title={t("save_title", { id: props.id })}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>{t("cancel_dialog")}</Button>
          <Button kind={taken ? "danger" : "main"} disabled={!isName(name)} onClick={save}>
            {taken ? t("overwrite_now") : t("save_now")}
          </Button>
        </>
      }
    >
      <TextField label={t("save_name")} help={t("save_help")} value={name} onChange={setName} invalid={!isName(name)} />
      <p class="maps-warn small" role="status">{taken ? t("overwrite") : ""}</p>
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  );
}

// SPDX-License-Identifier: MIT
//
// The server checks a drawing while it is drawn: after a pause; only the latest response is used.

import { useEffect, useRef, useState } from "preact/hooks";

import { api } from "../api/client";
import type { MapCheck, TbsMap } from "../api/types";
import { toTbsMap } from "./serial";

const PAUSE_MS = 250;

export interface Checked {
  check: MapCheck | null; // of `of`; the last one that came
  of: TbsMap | null;
  state: "checking" | "ready" | "failed";
}

export function useCheck(map: TbsMap): Checked {
  const [checked, setChecked] = useState<Checked>({ check: null, of: null, state: "checking" });
  const first = useRef(true);
  useEffect(() => {
    let gone = false;
    setChecked((last) => ({ ...last, state: "checking" }));
    const ask = () =>
      api.post<MapCheck>("/api/maps/check", { map: toTbsMap(map) }).then(
        (check) => gone || setChecked({ check, of: map, state: "ready" }),
        () => gone || setChecked((last) => ({ ...last, state: "failed" })),
      );
    const timer = setTimeout(ask, first.current ? 0 : PAUSE_MS);
    first.current = false;
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [map]);
  return checked;
}

// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";

import { api } from "../api/client";
import type { Actions, StartingPosition, Side, TbsActions, TbsState } from "../api/types";
import { asTurnOf } from "./threat_logic";

/** The enemy's actions if it were its turn, requested once per position and only if `wanted`; null until loaded. */
export function useThreat(ground: StartingPosition, state: TbsState, enemy: Side | null, wanted: boolean): TbsActions | null {
  const [known, setKnown] = useState<{ text: string; actions: TbsActions } | null>(null);
  const { text } = state;
  const isKnown = known?.text === text;
  useEffect(() => {
    const position = enemy === null ? null : asTurnOf(text, enemy);
    if (!wanted || isKnown || position === null || state.over) return undefined;
    let gone = false;
    api.post<{ actions: Actions | null }>("/api/positions", { ...ground, position }).then(
      ({ actions }) => gone || (actions?.game === "tbs" && setKnown({ text, actions })),
      () => {}, // no threats are shown
    );
    return () => void (gone = true);
  }, [text, wanted, isKnown, enemy]);
  return isKnown ? known.actions : null;
}

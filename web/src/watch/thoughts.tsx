// SPDX-License-Identifier: MIT
//
// What the player to move thinks of the shown position: as it was recorded, or live while it thinks.

import type { Step, Table, Thoughts } from "../api/types";
import { seatName } from "../app/names";
import { useText } from "../app/text";
import { Checkbox, Panel } from "../common/parts";
import { Candidates, Work } from "../thoughts/candidates";
import { type Sight, unseenSide } from "./sight";
import { words, type Words } from "./text";

/** The thoughts of a position, or the reason why there are none. */
export type Shown = { thoughts: Thoughts; isLive: boolean; chosen: string | null } | { reason: Words };

export function thoughtsAt(table: Table, live: Thoughts | null, next: Step | null, sight: Sight): Shown {
  if (next !== null) {
    if (next.side === unseenSide(sight)) return { reason: "thoughts_hidden" };
    if (next.thoughts === null) return { reason: "thoughts_none" };
    return { thoughts: next.thoughts, isLive: false, chosen: next.action };
  }
  if (table.over) return { reason: "thoughts_over" };
  if (table.mover !== null && table.mover === unseenSide(sight)) return { reason: "thoughts_hidden" };
  return live === null ? { reason: "thoughts_soon" } : { thoughts: live, isLive: true, chosen: null };
}

interface ThoughtsPanelProps {
  table: Table;
  shown: Shown;
  selected: string | null;
  onSelect: (action: string | null) => void;
  onPoint: (action: string | null) => void;
  isPlanDrawn: boolean;
  onDrawPlan: (drawn: boolean) => void;
}

export function ThoughtsPanel(props: ThoughtsPanelProps) {
  const t = useText(words);
  const { table, shown } = props;
  if ("reason" in shown)
    return (
      <Panel title={t("thoughts_plain")}>
        <p class="quiet watch-thoughts">{t(shown.reason)}</p>
      </Panel>
    );
  const { thoughts, isLive, chosen } = shown;
  const player = seatName(table.seats[thoughts.side]);
  return (
    <Panel
      title={t("thoughts", { player })}
      actions={<Checkbox checked={props.isPlanDrawn} onChange={props.onDrawPlan} label={t("show_plan")} />}
    >
      <div class="watch-thoughts">
        <div class="row">
          <Work thoughts={thoughts} />
          {isLive && <span class="watch-live">{t("thinking_now")}</span>}
        </div>
        <Candidates
          thoughts={thoughts}
          selected={props.selected}
          onSelect={props.onSelect}
          onPoint={props.onPoint}
          chosen={chosen}
        />
      </div>
    </Panel>
  );
}

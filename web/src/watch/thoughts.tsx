// SPDX-License-Identifier: MIT
//
// The evaluation of the shown position by the player to move: recorded, or live.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

import type { Step, LiveGame, Thoughts } from "../api/types";
import { seatName } from "../app/names";
import { useText } from "../app/text";
import { Checkbox, Panel } from "../common/parts";
import { Candidates, Work } from "../thoughts/candidates";
import { type SpectatorView, unseenSide } from "./spectator_view";
import { words, type Words } from "./text";

/** The evaluation of a position, or why there is none. */
export type Shown = { thoughts: Thoughts; isLive: boolean; chosen: string | null } | { reason: Words };

export function thoughtsAt(liveGame: LiveGame, live: Thoughts | null, next: Step | null, view: SpectatorView): Shown {
  if (next !== null) {
    if (next.side === unseenSide(view)) return { reason: "thoughts_hidden" };
    if (next.thoughts === null) return { reason: "thoughts_none" };
    return { thoughts: next.thoughts, isLive: false, chosen: next.action };
  }
  if (liveGame.over) return { reason: "thoughts_over" };
  if (liveGame.mover !== null && liveGame.mover === unseenSide(view)) return { reason: "thoughts_hidden" };
  return live === null ? { reason: "thoughts_soon" } : { thoughts: live, isLive: true, chosen: null };
}

interface ThoughtsPanelProps {
  liveGame: LiveGame;
  shown: Shown;
  selected: string | null;
  onSelect: (action: string | null) => void;
  onPoint: (action: string | null) => void;
  isPlanDrawn: boolean;
  onDrawPlan: (drawn: boolean) => void;
}

const STEADY_MOST = 560; // px: an expanded list may shrink again

/** The panel grows with its content and does not shrink: the parts below must not jump at every move. */
function useSteadyRoom() {
  const box = useRef<HTMLDivElement>(null);
  const room = useRef(0);
  useLayoutEffect(() => {
    const height = Math.min(box.current?.offsetHeight ?? 0, STEADY_MOST);
    if (box.current !== null && height > room.current) {
      room.current = height;
      box.current.style.minHeight = `${height}px`;
    }
  });
  useEffect(() => {
    const forget = () => {
      room.current = 0;
      if (box.current !== null) box.current.style.minHeight = "";
    };
    addEventListener("resize", forget);
    return () => removeEventListener("resize", forget);
  }, []);
  return box;
}

export function ThoughtsPanel(props: ThoughtsPanelProps) {
  const t = useText(words);
  const { liveGame, shown } = props;
  const room = useSteadyRoom();
  const title = "reason" in shown ? t("thoughts_plain") : t("thoughts", { player: seatName(liveGame.seats[shown.thoughts.side]) });
  return (
    <Panel title={title}>
      <Checkbox checked={props.isPlanDrawn} onChange={props.onDrawPlan} label={t("show_plan")} />
      <div class="watch-thoughts stack gap-2" ref={room}>
        {"reason" in shown ? <p class="quiet">{t(shown.reason)}</p> : <Told {...props} shown={shown} />}
      </div>
    </Panel>
  );
}

function Told(props: Omit<ThoughtsPanelProps, "shown"> & { shown: Exclude<Shown, { reason: Words }> }) {
  const t = useText(words);
  const { thoughts, isLive, chosen } = props.shown;
  return (
    <>
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
    </>
  );
}

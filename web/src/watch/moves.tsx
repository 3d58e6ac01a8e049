// SPDX-License-Identifier: MIT
//
// All moves in words, turn by turn; each links to its position. The current one is scrolled into view.

import { useLayoutEffect, useRef } from "preact/hooks";

import type { Step } from "../api/types";
import { didWords } from "../app/names";
import { useText } from "../app/text";
import { Panel, SideMark } from "../common/parts";
import { byTurn } from "../play/live_game_logic";
import { words } from "./text";

/** Scrolls inside the list only: the page must not move while a game is played back. */
function useInSight(shown: number) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = list.current;
    const row = box?.querySelector<HTMLElement>('[aria-current="step"]');
    if (!box || !row) return;
    const above = row.offsetTop - box.offsetTop;
    if (above < box.scrollTop || above + row.offsetHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = above - box.clientHeight / 2;
  }, [shown]);
  return list;
}

function MoveButton(props: { ply: number; shown: number; text: string; onGo: (ply: number) => void }) {
  return (
    <button
      type="button"
      class="watch-move small"
      aria-current={props.ply === props.shown ? "step" : undefined}
      onClick={() => props.onGo(props.ply)}
    >
      {props.text}
    </button>
  );
}

export function Moves(props: { steps: Step[]; shown: number; onGo: (ply: number) => void }) {
  const t = useText(words);
  const list = useInSight(props.shown);
  return (
    <Panel title={t("moves")}>
      <div class="watch-moves" ref={list} tabIndex={0} role="group" aria-label={t("moves")}>
        <MoveButton ply={0} text={t("start_position")} shown={props.shown} onGo={props.onGo} />
        <ol class="watch-turns list">
          {byTurn(props.steps).map((row) => (
            <li key={row.turn}>
              <span class="watch-turn quiet small numbers" title={t("turn", { turn: row.turn })}>
                <SideMark side={row.side} plain={row.steps[0]?.did.kind === "geister" || row.steps[0]?.did.kind === "setup"}>{row.turn}</SideMark>
              </span>
              <div class="watch-turn-moves">
                {row.steps.map((step) => (
                  <MoveButton key={step.ply} ply={step.ply} text={didWords(step.did, undefined, step.state)} shown={props.shown} onGo={props.onGo} />
                ))}
              </div>
            </li>
          ))}
        </ol>
        {props.steps.length === 0 && <p class="quiet">{t("no_moves")}</p>}
      </div>
    </Panel>
  );
}

// SPDX-License-Identifier: MIT
//
// Both seats with their specs, the side to move, and the material.

import type { Side, State, LiveGame } from "../api/types";
import { isTactical, seatName, sideName } from "../app/names";
import { useText } from "../app/text";
import { SideMark } from "../common/parts";
import { material } from "./series";
import { words } from "./text";

function SeatCard(props: { liveGame: LiveGame; state: State; side: Side }) {
  const t = useText(words);
  const { liveGame, state, side } = props;
  const seat = liveGame.seats[side];
  const left = material(state, side);
  const name = seatName(seat);
  return (
    <div class={state.mover === side ? "watch-seat watch-seat-moves" : "watch-seat"}>
      <SideMark side={side} plain={!isTactical(liveGame.ground.game)}>{sideName(liveGame.ground.game, side)}</SideMark>
      <strong class="watch-seat-name clip">{name}</strong>
      {left !== null && (
        <span class="numbers">{t(isTactical(liveGame.ground.game) ? "hp_left" : "ghosts_left", { count: left })}</span>
      )}
      {seat.spec !== "" && seat.spec !== name && <code class="watch-spec quiet">{seat.spec}</code>}
    </div>
  );
}

export function Seats(props: { liveGame: LiveGame; state: State }) {
  return (
    <div class="watch-seats">
      <SeatCard {...props} side={0} />
      <SeatCard {...props} side={1} />
    </div>
  );
}

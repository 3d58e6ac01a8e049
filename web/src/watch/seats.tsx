// SPDX-License-Identifier: MIT
//
// Both seats with their specs, the side to move, and the material.

import type { Side, State, Table } from "../api/types";
import { isTactical, seatName, sideName } from "../app/names";
import { useText } from "../app/text";
import { SideMark } from "../common/parts";
import { material } from "./series";
import { words } from "./text";

function SeatCard(props: { table: Table; state: State; side: Side }) {
  const t = useText(words);
  const { table, state, side } = props;
  const seat = table.seats[side];
  const left = material(state, side);
  const name = seatName(seat);
  return (
    <div class={state.mover === side ? "watch-seat watch-seat-moves" : "watch-seat"}>
      <SideMark side={side} plain={!isTactical(table.ground.game)}>{sideName(table.ground.game, side)}</SideMark>
      <strong class="watch-seat-name clip">{name}</strong>
      {left !== null && (
        <span class="numbers">{t(isTactical(table.ground.game) ? "hp_left" : "ghosts_left", { count: left })}</span>
      )}
      {seat.spec !== "" && seat.spec !== name && <code class="watch-spec quiet">{seat.spec}</code>}
    </div>
  );
}

export function Seats(props: { table: Table; state: State }) {
  return (
    <div class="watch-seats">
      <SeatCard {...props} side={0} />
      <SeatCard {...props} side={1} />
    </div>
  );
}

// SPDX-License-Identifier: MIT
import type { Side, Step, LiveGame } from "../api/types";
import { playSound } from "../app/sound";
import { endSoundName, soundName } from "./sound_logic";

export function soundOf(step: Step, you: Side[]): void {
  const sound = soundName(step, you);
  if (sound !== null) playSound(sound);
}

export function soundOfEnd(liveGame: LiveGame): void {
  const sound = endSoundName(liveGame);
  if (sound !== null) playSound(sound);
}

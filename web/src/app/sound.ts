// SPDX-License-Identifier: MIT
//
// Synthesised sounds, off by default. A browser allows sound only after the first user action; until then nothing
// happens.

import { store, stored } from "../common/theme";

export type Sound = "move" | "attack" | "win" | "loss";

interface Tone {
  at: number; // seconds from now
  pitch: number; // Hz
  length: number;
  shape: OscillatorType;
  loud: number;
}

const tunes: Record<Sound, Tone[]> = {
  move: [{ at: 0, pitch: 520, length: 0.07, shape: "sine", loud: 0.1 }],
  attack: [
    { at: 0, pitch: 190, length: 0.12, shape: "triangle", loud: 0.2 },
    { at: 0.05, pitch: 120, length: 0.16, shape: "triangle", loud: 0.18 },
  ],
  win: [
    { at: 0, pitch: 523, length: 0.14, shape: "sine", loud: 0.12 },
    { at: 0.13, pitch: 659, length: 0.14, shape: "sine", loud: 0.12 },
    { at: 0.26, pitch: 784, length: 0.32, shape: "sine", loud: 0.12 },
  ],
  loss: [
    { at: 0, pitch: 392, length: 0.18, shape: "sine", loud: 0.1 },
    { at: 0.17, pitch: 311, length: 0.34, shape: "sine", loud: 0.1 },
  ],
};

const key = "senjutsu.sound";
let on = stored(key) === "yes";
let audio: AudioContext | null = null;

export function isSoundOn(): boolean {
  return on;
}

export function setSound(wanted: boolean): void {
  on = wanted;
  store(key, wanted ? "yes" : "no");
  if (wanted) playSound("move");
}

function playTone(context: AudioContext, tone: Tone): void {
  const start = context.currentTime + tone.at;
  const voice = context.createOscillator();
  const volume = context.createGain();
  voice.type = tone.shape;
  voice.frequency.value = tone.pitch;
  volume.gain.setValueAtTime(tone.loud, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + tone.length); // without a click at the end
  voice.connect(volume).connect(context.destination);
  voice.start(start);
  voice.stop(start + tone.length);
}

/** Does nothing while sounds are off. */
export function playSound(sound: Sound): void {
  if (!on) return;
  try {
    audio ??= new AudioContext();
    void audio.resume();
    for (const tone of tunes[sound]) playTone(audio, tone);
  } catch {
    // no sound on this machine: the game is the same without
  }
}

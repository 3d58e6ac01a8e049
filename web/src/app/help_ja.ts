// SPDX-License-Identifier: MIT
//
// Japanese for the help texts of players, options, games, presets and experiments, by their English.

export const help_ja: Record<string, string> = {};

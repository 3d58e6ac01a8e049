// SPDX-License-Identifier: MIT
//
// Dialogs: the list of keys, the result.

import { Fragment } from "preact";
import { useState } from "preact/hooks";

import { api } from "../api/client";
import type { NewSeat, NewLiveGame, NewLiveGameAnswer, Seat, Side, LiveGame } from "../api/types";
import { isTactical, resultName, sideName, winnerOf } from "../app/names";
import { go, href } from "../app/route";
import { useLanguage, useText } from "../app/text";
import { rulingText } from "../common/errors";
import { Button, ErrorNote } from "../common/parts";
import { Dialog } from "../common/dialog";
import { saveGame } from "./saved";
import { words, type Words } from "./text";

const KEYS: [key: string, what: Words, tactical: boolean][] = [
  ["↑ ↓ ← →", "key_arrows", false],
  ["↵", "key_enter", false],
  ["⇥", "key_tab", true],
  ["N", "key_next", false],
  ["Esc", "key_escape", false],
  ["E", "key_end", true],
  ["U", "key_undo", true],
  ["H", "key_hint", false],
  ["T", "key_take_back", false],
  ["D", "key_danger", true],
  ["?", "key_help", false],
];

/** `without` names keys that do nothing on this screen. */
export function KeysDialog(props: { game: string; without?: readonly Words[]; onClose: () => void }) {
  const t = useText(words);
  const rows = KEYS.filter(([, what, tactical]) => (!tactical || isTactical(props.game)) && !props.without?.includes(what));
  return (
    <Dialog title={t("keys_help")} onClose={props.onClose} actions={<Button onClick={props.onClose}>{t("close")}</Button>}>
      <dl>
        {rows.map(([key, what]) => (
          <Fragment key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(what)}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}

function title(liveGame: LiveGame, t: (key: Words, params?: Record<string, string>) => string): string {
  const [first, second] = liveGame.state.payoff ?? [0, 0]; // a result may be a payoff: "+1 chip"
  const side = winnerOf(liveGame.result) ?? (first === second ? null : first > second ? 0 : 1);
  if (side === null) return t("draw");
  if (liveGame.you.length !== 1) return t("side_won", { side: sideName(liveGame.ground.game, side) });
  return liveGame.you[0] === side ? t("won") : t("lost_game");
}

/** A rematch, optionally with swapped sides; the users of this browser keep their seats. */
async function playAgain(liveGame: LiveGame, invited: boolean, swap: boolean): Promise<void> {
  const seat = ({ kind, spec }: Seat): NewSeat => (kind === "human" ? { kind } : { kind, spec });
  const seats: [NewSeat, NewSeat] = [seat(liveGame.seats[swap ? 1 : 0]), seat(liveGame.seats[swap ? 0 : 1])];
  const clock = liveGame.clocks.limits;
  const body: NewLiveGame = { ...liveGame.ground, seats, ...(clock === "" ? {} : { clock }) };
  const made = await api.post<NewLiveGameAnswer>("/api/tables", body);
  const was: Side = liveGame.you[0] ?? 0;
  const mine: Side = swap ? (was === 0 ? 1 : 0) : was;
  const other: Side = mine === 0 ? 1 : 0;
  const both = liveGame.you.length === 2;
  saveGame({
    id: made.id,
    keys: both ? `${made.keys[0]},${made.keys[1]}` : (made.keys[mine] ?? ""),
    invite: invited ? made.keys[other] : null,
    game: liveGame.ground.game,
    map: liveGame.ground.map ?? "",
    against: liveGame.seats[was === 0 ? 1 : 0].spec,
    started: Date.now(),
    over: false,
  });
  go("play", [made.id]);
}

export function ResultDialog(props: { liveGame: LiveGame; invited: boolean; onClose: () => void }) {
  const t = useText(words);
  const at = useLanguage();
  const [error, setError] = useState<unknown>(null);
  const { liveGame } = props;
  const again = (swap: boolean): void => void playAgain(liveGame, props.invited, swap).catch(setError);
  const mayPlay = liveGame.you.length > 0 && (liveGame.you.length === 2 || props.invited || liveGame.seats.some(({ kind }) => kind === "player"));
  return (
    <Dialog
      title={title(liveGame, t)}
      onClose={props.onClose}
      actions={
        <>
          {mayPlay && <Button kind="main" onClick={() => again(false)}>{t("again")}</Button>}
          {mayPlay && <Button onClick={() => again(true)}>{t("swap_sides")}</Button>}
          <a class="button" href={href("watch", [liveGame.id])}>{t("look")}</a>
          <a class="button" href={`/api/tables/${encodeURIComponent(liveGame.id)}/record?form=json`} download={`${liveGame.id}.json`}>
            {t("save_record")}
          </a>
          <Button kind="quiet" onClick={props.onClose}>{t("close")}</Button>
        </>
      }
    >
      <p>{resultName(liveGame.result)}</p>
      {liveGame.comment !== "" && <p class="quiet small">{rulingText(liveGame, at)}</p>}
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  );
}

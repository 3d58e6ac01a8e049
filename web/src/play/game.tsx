// SPDX-License-Identifier: MIT
//
// A game that is played here: the board with the legal actions, seats with clocks, moves, and buttons.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { ApiError } from "../api/client";
import type { GameInfo, Side, Step, LiveGame } from "../api/types";
import { gameOf, startingPositionName, isTactical } from "../app/names";
import { href } from "../app/route";
import { useText } from "../app/text";
import { useSubject } from "../app/title";
import { shared, useShared } from "../common/data";
import { useHotkey } from "../common/keys";
import { Button, ErrorNote, UnsavedNote, Waiting } from "../common/parts";
import { Question } from "../common/question";
import { KeysDialog, ResultDialog } from "./dialogs";
import { needsCurtain } from "./geister_logic";
import { GeisterPlay } from "./geister_play";
import { Banner, HintNote, Invite, MoveList, OfferNote, SeatRow, ThoughtsNote } from "./parts";
import { changeGame, describeGame } from "./saved";
import { soundOf, soundOfEnd } from "./sounds";
import { keyOf, lastTurn, seatToShow, withoutSecrets } from "./live_game_logic";
import { PlainPlay } from "./plain_play";
import { TbsPlay } from "./tbs_play";
import { words } from "./text";
import { useHint, type Hint } from "./use_hint";
import { usePace, type Paced } from "./use_pace";
import { useLiveGame, type FollowedGame } from "./use_live_game";

export function Game(props: { id: string; keys: string; invite: string | null }) {
  const t = useText(words);
  const live = useLiveGame(props.id, props.keys);
  if (live.error !== null && live.liveGame === null) return <Gone id={props.id} error={live.error} />;
  if (live.liveGame === null)
    return (
      <div class="page">
        <Waiting text={live.lost ? t("lost") : t("loading")} height="40rem" />
      </div>
    );
  return <GameScreen live={live} liveGame={live.liveGame} keys={props.keys} invite={props.invite} />;
}

function Gone(props: { id: string; error: unknown }) {
  const t = useText(words);
  const missing = props.error instanceof ApiError && props.error.status === 404;
  useEffect(() => {
    if (missing) changeGame(props.id, { over: true });
  }, [missing]);
  return (
    <div class="page stack">
      <h1>{t("title")}</h1>
      <ErrorNote error={missing ? new Error(t("gone")) : props.error} />
      <a class="button" href={href("play")}>{t("to_start")}</a>
    </div>
  );
}

type Asked = "end" | "resign" | "keys" | "result" | null;

/** The game that is played, as the server lists it; undefined: loading. */
function useGame(liveGame: LiveGame): GameInfo | undefined {
  const games = useShared(shared.games);
  const name = gameOf(liveGame.ground.game);
  return games.state === "ready" ? games.value.find((game) => game.name === name) : undefined;
}

/** The result dialog opens once, when the game ends on this screen, not when a finished game is opened. */
function useEnd(liveGame: LiveGame, isOver: boolean, tell: () => void): void {
  const wasSeen = useRef(false); // while it was in progress
  useEffect(() => {
    if (!isOver) return void (wasSeen.current = true);
    changeGame(liveGame.id, { over: true });
    if (!wasSeen.current) return;
    soundOfEnd(liveGame);
    tell();
  }, [isOver, liveGame.id]);
}

function GameScreen(props: { live: FollowedGame; liveGame: LiveGame; keys: string; invite: string | null }) {
  const t = useText(words);
  const { live, liveGame, keys } = props;
  useSubject(startingPositionName(liveGame.ground));
  const paced = usePace(liveGame, (step) => soundOf(step, liveGame.you));
  const [asked, setAsked] = useState<Asked>(null);
  const [left, setLeft] = useState(0);
  const [danger, setDanger] = useState(false);
  const [thoughts, setThoughts] = useState(false);
  const [hint, askHint, stopHint] = useHint(`${liveGame.id} ${liveGame.steps.length}`);
  const game = useGame(liveGame);
  const adviser = game?.adviser ?? "";
  const [shownFor, setShownFor] = useState<Side | null>(null);
  const mover = paced.state.over ? null : paced.state.mover;
  const covered = game?.hidden !== false && needsCurtain(liveGame.you, mover, shownFor);
  const isMine = liveGame.actions !== null && liveGame.mover !== null && liveGame.you.includes(liveGame.mover);
  const acting = isMine && !covered && !paced.behind && !live.busy;

  useEffect(() => {
    const other = liveGame.seats.find(({ kind }) => kind === "player");
    describeGame(liveGame.id, { game: liveGame.ground.game, map: liveGame.ground.map ?? "", against: other?.spec ?? "" });
  }, [liveGame.id]);
  useEnd(liveGame, liveGame.over && !paced.behind, () => setAsked("result"));

  const wantHint = (): void => {
    const key = liveGame.mover === null ? null : keyOf(keys, liveGame.you, liveGame.mover);
    if (key !== null) askHint({ game: liveGame.ground.game, table: liveGame.id, key, player: adviser });
  };
  const endTurn = (sure: boolean): void => {
    if (left > 0 && !sure) return setAsked("end");
    setAsked(null);
    live.send({ do: "action", action: "pass", ply: liveGame.steps.length });
  };
  const close = (): void => setAsked(null);
  const resign = (): void => {
    close();
    live.send({ do: "resign" });
  };
  const onUncover = covered ? (): void => setShownFor(mover) : undefined;
  const shown = { live, liveGame, paced, acting, hint, wantHint, danger, setLeft, onUncover };
  const bottom = seatToShow(liveGame.you, isTactical(liveGame.ground.game) ? null : liveGame.mover) ?? 0;
  const top: Side = bottom === 0 ? 1 : 0;
  return (
    <div class="page split">
      <h1 class="visually-hidden">{startingPositionName(liveGame.ground)}</h1>
      <div class="play-main stack gap-2">
        <SeatRow liveGame={liveGame} side={top} receivedAt={live.receivedAt} paced={paced} />
        <BoardOf {...shown} bottom={bottom} seat={<SeatRow liveGame={liveGame} side={bottom} receivedAt={live.receivedAt} paced={paced} />} />
      </div>
      <div class="play-side">
        <Banner live={live} paced={paced} left={left} acting={acting} />
        <Buttons
          liveGame={liveGame}
          acting={acting}
          busy={live.busy}
          hasHint={hint.state !== "off"}
          danger={danger}
          onEnd={() => endTurn(false)}
          onDo={(what) => live.send({ do: what })}
          onHint={() => (hint.state === "off" ? wantHint() : stopHint())}
          onDanger={() => setDanger(!danger)}
          onAsk={setAsked}
        />
        <UnsavedNote unsaved={liveGame.unsaved} />
        <HintNote hint={hint} adviser={adviser} />
        <OfferNote liveGame={liveGame} onAnswer={(accept) => live.send({ do: "answer", accept })} />
        {props.invite !== null && !liveGame.over && <Invite liveGame={liveGame} invite={props.invite} />}
        <MoveList steps={forThisScreen(liveGame, paced)} />
        <ThoughtsNote liveGame={liveGame} thoughts={live.thoughts} on={thoughts} onChange={setThoughts} />
      </div>
      {asked === "end" && (
        <Question title={t("end_title")} text={t("end_text", { count: left })} yes={t("end_yes")} no={t("end_no")} onYes={() => endTurn(true)} onNo={close} />
      )}
      {asked === "resign" && (
        <Question title={t("resign_title")} text={t("resign_text")} yes={t("resign_yes")} no={t("end_no")} danger onYes={resign} onNo={close} />
      )}
      {asked === "keys" && <KeysDialog game={liveGame.ground.game} onClose={close} />}
      {asked === "result" && <ResultDialog liveGame={liveGame} invited={props.invite !== null} onClose={close} />}
    </div>
  );
}

/** Steps that may be shown: on a shared screen set-ups stay hidden until the game is over. */
function forThisScreen(liveGame: LiveGame, paced: Paced): Step[] {
  const steps = liveGame.steps.slice(0, paced.ply);
  return liveGame.you.length === 2 && !liveGame.over ? steps.map(withoutSecrets) : steps;
}

function BoardOf(props: {
  live: FollowedGame;
  liveGame: LiveGame;
  paced: Paced;
  acting: boolean;
  hint: Hint;
  wantHint: () => void;
  danger: boolean;
  setLeft: (left: number) => void;
  onUncover: (() => void) | undefined;
  bottom: Side;
  seat: ComponentChildren;
}) {
  const { live, liveGame, paced, acting, hint } = props;
  const onAction = (action: string): void => live.send({ do: "action", action, ply: liveGame.steps.length });
  const steps = useMemo(() => lastTurn(liveGame, paced.ply, paced.state.mover), [liveGame, paced.ply]);
  if (paced.state.game === "tbs")
    return (
      <TbsPlay
        liveGame={liveGame}
        state={paced.state}
        lastTurn={steps}
        acting={acting}
        hint={hint.best}
        danger={props.danger}
        onAction={onAction}
        onReady={props.setLeft}
        seat={props.seat}
      />
    );
  if (paced.state.game === "geister")
    return (
      <GeisterPlay
        liveGame={liveGame}
        state={paced.state}
        last={paced.last}
        acting={acting}
        from={props.bottom}
        hint={hint.best}
        suggested={hint.chosen}
        onAction={onAction}
        onSuggest={props.wantHint}
        onUncover={props.onUncover}
        seat={props.seat}
      />
    );
  return (
    <PlainPlay
      liveGame={liveGame}
      state={paced.state}
      acting={acting}
      hint={hint.best}
      onAction={onAction}
      onUncover={props.onUncover}
      seat={props.seat}
    />
  );
}

function Buttons(props: {
  liveGame: LiveGame;
  acting: boolean;
  busy: boolean;
  hasHint: boolean;
  danger: boolean;
  onEnd: () => void;
  onDo: (what: "undo" | "take-back") => void;
  onHint: () => void;
  onDanger: () => void;
  onAsk: (asked: Asked) => void;
}) {
  const t = useText(words);
  const { liveGame, acting } = props;
  const tactical = isTactical(liveGame.ground.game);
  useHotkey("?", () => props.onAsk("keys"));
  return (
    <div class="play-buttons grid gap-2">
      {tactical && (
        <Button kind="main" hotkey="e" disabled={!acting} onClick={props.onEnd}>{t("end_turn")}</Button>
      )}
      {tactical && (
        <Button hotkey="u" disabled={!liveGame.may.undo || props.busy} onClick={() => props.onDo("undo")}>
          {t("undo")}
        </Button>
      )}
      <Button hotkey="h" pressed={props.hasHint} disabled={!acting || !liveGame.may.hint} onClick={props.onHint}>
        {t("hint")}
      </Button>
      <Button hotkey="t" disabled={!liveGame.may.take_back || props.busy} onClick={() => props.onDo("take-back")}>
        {t("take_back")}
      </Button>
      {tactical && (
        <Button hotkey="d" pressed={props.danger} disabled={liveGame.over} onClick={props.onDanger}>
          {t("danger")}
        </Button>
      )}
      {liveGame.over ? (
        <Button onClick={() => props.onAsk("result")}>{t("show_result")}</Button>
      ) : (
        <Button kind="danger" disabled={!liveGame.may.resign || props.busy} onClick={() => props.onAsk("resign")}>
          {t("resign")}
        </Button>
      )}
      <Button kind="quiet" onClick={() => props.onAsk("keys")}>
        {t("keys_help")} <kbd aria-hidden="true">?</kbd>
      </Button>
      {liveGame.may.revealed && <p class="quiet small play-revealed">{t("revealed")}</p>}
    </div>
  );
}

// SPDX-License-Identifier: MIT
//
// A game: what it is about before it starts, then the board with the workbench's own parts. There are no hints, no
// take-backs and no evaluations.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import type { LiveGame, Side, Study, StudyGame } from "../api/types";
import { resultName, sideName, winnerOf } from "../app/names";
import { useText } from "../app/text";
import { useHotkey } from "../common/keys";
import { Button, Panel, SideMark, UnsavedNote, Waiting } from "../common/parts";
import { Question } from "../common/question";
import { KeysDialog } from "../play/dialogs";
import { lastTurn } from "../play/live_game_logic";
import { Banner, MoveList, SeatRow } from "../play/parts";
import { TbsPlay } from "../play/tbs_play";
import { words as playWords } from "../play/text";
import { useLiveGame, type FollowedGame } from "../play/use_live_game";
import { usePace, type Paced } from "../play/use_pace";
import { HowTo, TerrainTable, UnitTable } from "./facts";
import type { Step } from "./logic";
import { words } from "./text";

// ---- before ----

export function StartStep(props: { study: Study; step: Step & { show: "start" }; busy: boolean; onStart: () => void }) {
  const t = useText(words);
  const { side, map } = props.step;
  const isNew = props.study.maps[map]?.games.length === 0;
  const side_name = sideName("tbs", side);
  return (
    <>
      <h1>
        <SideMark side={side}>{t("start_text", { side: side_name })}</SideMark>
      </h1>
      <p>{t(isNew ? "new_map" : "other_side")}</p>
      <p>{t(side === 0 ? "first" : "second")}</p>
      <div>
        <Button kind="main" disabled={props.busy} onClick={props.onStart}>{t(props.busy ? "starting" : "start")}</Button>
      </div>
      <Facts open={map === 0 && isNew} />
    </>
  );
}

/** The rules, folded up for those who have seen them. */
function Facts(props: { open: boolean; rules?: string | undefined }) {
  const t = useText(words);
  return (
    <div class="study-facts stack gap-2">
      <details open={props.open}>
        <summary>{t("how_to")}</summary>
        <HowTo />
      </details>
      <details open={props.open}>
        <summary>{t("units_title")}</summary>
        <UnitTable rules={props.rules} />
      </details>
      <details open={props.open}>
        <summary>{t("terrain_title")}</summary>
        <TerrainTable />
      </details>
    </div>
  );
}

// ---- the game ----

interface GameProps {
  game: StudyGame;
  title: string;
  busy: boolean;
  onEnd: () => void; // the server has its result
  onContinue: () => void; // it was read
  onAgain: () => void; // the game is not there any more
}

export function GameStep(props: GameProps) {
  const t = useText(words);
  const live = useLiveGame(props.game.id, props.game.key);
  const { liveGame } = live;
  const one = useMemo(() => (liveGame === null ? null : withOpponent(liveGame, t("opponent"))), [liveGame, t("opponent")]);
  if (one !== null) return <Board {...props} live={{ ...live, liveGame: one }} liveGame={one} />;
  if (live.error === null) return <Waiting text={t(live.lost ? "offline" : "loading")} height="40rem" />;
  return <Gone {...props} />;
}

/** A server with many games drops those that were left for long. */
function Gone(props: GameProps) {
  const t = useText(words);
  const { over } = props.game;
  return (
    <>
      <h1>{props.title}</h1>
      <p class="note note-error" role="alert">{t(over ? "game_gone" : "game_lost")}</p>
      <div>
        <Button kind="main" disabled={props.busy} onClick={over ? props.onContinue : props.onAgain}>{t(over ? "go_on" : "begin_again")}</Button>
      </div>
    </>
  );
}

/** The player has no name for participants: it could say how strong it is. */
export function withOpponent(liveGame: LiveGame, name: string): LiveGame {
  const [first, second] = liveGame.seats.map((seat) => (seat.kind === "player" ? { ...seat, name } : seat)) as LiveGame["seats"];
  return { ...liveGame, seats: [first, second] };
}

type Asked = "end" | "resign" | "keys" | null;

function Board(props: GameProps & { live: FollowedGame; liveGame: LiveGame }) {
  const { live, liveGame } = props;
  const paced = usePace(liveGame, () => {});
  const [left, setLeft] = useState(0);
  const [asked, setAsked] = useState<Asked>(null);
  const isMine = liveGame.actions !== null && liveGame.mover !== null && liveGame.you.includes(liveGame.mover);
  const acting = isMine && !paced.behind && !live.busy;
  const isOver = liveGame.over && !paced.behind;
  const steps = useMemo(() => lastTurn(liveGame, paced.ply, paced.state.mover), [liveGame, paced.ply]);
  useEffect(() => {
    if (liveGame.over) props.onEnd();
  }, [liveGame.over]);

  const bottom: Side = liveGame.you[0] ?? 0;
  const top: Side = bottom === 0 ? 1 : 0;
  const endTurn = (): void => {
    setAsked(null);
    live.send({ do: "action", action: "pass", ply: liveGame.steps.length });
  };
  const seatOf = (side: Side) => <SeatRow liveGame={liveGame} side={side} receivedAt={live.receivedAt} paced={paced} />;
  return (
    <div class={isOver ? "split study-over" : "split"}>
      <h1 class="visually-hidden">{props.title}</h1>
      <div class="play-main stack gap-2">
        {seatOf(top)}
        {paced.state.game === "tbs" && (
          <TbsPlay
            liveGame={liveGame}
            state={paced.state}
            lastTurn={steps}
            acting={acting}
            hint={null}
            danger={false}
            threats={false}
            onAction={(action) => live.send({ do: "action", action, ply: liveGame.steps.length })}
            onReady={setLeft}
            seat={seatOf(bottom)}
          />
        )}
      </div>
      <div class="play-side">
        {isOver ? (
          <GameEnd liveGame={liveGame} onContinue={props.onContinue} />
        ) : (
          <>
            <Banner live={live} paced={paced} left={left} acting={acting} />
            <Buttons live={live} liveGame={liveGame} acting={acting} onEnd={() => (left > 0 ? setAsked("end") : endTurn())} onAsk={setAsked} />
          </>
        )}
        <UnsavedNote unsaved={liveGame.unsaved} />
        <Facts open={false} rules={liveGame.ground.rules} />
        <MoveList steps={liveGame.steps.slice(0, paced.ply)} />
      </div>
      <Dialogs asked={asked} left={left} paced={paced} onEnd={endTurn} onResign={() => (setAsked(null), live.send({ do: "resign" }))} onClose={() => setAsked(null)} />
    </div>
  );
}

function Buttons(props: { live: FollowedGame; liveGame: LiveGame; acting: boolean; onEnd: () => void; onAsk: (asked: Asked) => void }) {
  const t = useText(playWords);
  const { live, liveGame } = props;
  useHotkey("?", () => props.onAsk("keys"));
  return (
    <div class="play-buttons grid gap-2">
      <Button kind="main" hotkey="e" disabled={!props.acting} onClick={props.onEnd}>{t("end_turn")}</Button>
      <Button hotkey="u" disabled={!liveGame.may.undo || live.busy} onClick={() => live.send({ do: "undo" })}>
        {t("undo")}
      </Button>
      <Button kind="danger" disabled={!liveGame.may.resign || live.busy} onClick={() => props.onAsk("resign")}>
        {t("resign")}
      </Button>
      <Button kind="quiet" onClick={() => props.onAsk("keys")}>
        {t("keys_help")} <kbd aria-hidden="true">?</kbd>
      </Button>
    </div>
  );
}

/** Keys of what participants do not have. */
const WITHOUT = ["key_hint", "key_take_back", "key_danger"] as const;

function Dialogs(props: { asked: Asked; left: number; paced: Paced; onEnd: () => void; onResign: () => void; onClose: () => void }) {
  const t = useText(playWords);
  const { asked, onClose } = props;
  if (asked === "end")
    return <Question title={t("end_title")} text={t("end_text", { count: props.left })} yes={t("end_yes")} no={t("end_no")} onYes={props.onEnd} onNo={onClose} />;
  if (asked === "resign")
    return <Question title={t("resign_title")} text={t("resign_text")} yes={t("resign_yes")} no={t("end_no")} danger onYes={props.onResign} onNo={onClose} />;
  return asked === "keys" ? <KeysDialog game="tbs" without={WITHOUT} onClose={onClose} /> : null;
}

/** How it ended, and the way on. */
function GameEnd(props: { liveGame: LiveGame; onContinue: () => void }) {
  const t = useText(words);
  const box = useRef<HTMLDivElement>(null);
  const { liveGame } = props;
  const winner = winnerOf(liveGame.result);
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), []); // on a phone it is below the board
  return (
    <div ref={box} role="status">
      <Panel title={t(winner === null ? "drawn" : liveGame.you[0] === winner ? "won" : "lost_game")}>
        <p>{resultName(liveGame.result)}</p>
        <div>
          <Button kind="main" onClick={props.onContinue}>{t("go_on")}</Button>
        </div>
      </Panel>
    </div>
  );
}

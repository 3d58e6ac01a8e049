// SPDX-License-Identifier: MIT
//
// Starts an analysis: player and budget, or the solver.

import { useEffect, useState } from "preact/hooks";

import type { NewAnalysis } from "../api/types";
import { gameOf } from "../app/names";
import { useText } from "../app/text";
import { shared, useRange, useShared } from "../common/data";
import { Button, NumberField, Panel, SelectField } from "../common/parts";
import { PlayerPicker } from "../common/pickers";
import { type Budget, budgetOf } from "./place";
import { words } from "./text";

export type Question = Omit<NewAnalysis, "source">;

interface AskProps {
  game: string;
  canAsk: boolean; // there is a position, and it is not over
  isHidden: boolean; // the game has hidden information
  onAsk: (question: Question) => void;
}

function BudgetFields(props: { budget: Budget; onChange: (budget: Budget) => void }) {
  const t = useText(words);
  const range = useRange("analysis");
  const { budget, onChange } = props;
  const options = (["own", "sims", "time"] as const).map((value) => ({ value, label: t(`budget_${value}`) }));
  return (
    <>
      <SelectField label={t("budget")} value={budget.kind} options={options} onChange={(kind) => onChange({ ...budget, kind })} />
      {budget.kind === "sims" && (
        <NumberField label={t("sims")} value={budget.sims} {...range("sims")} onChange={(sims) => onChange({ ...budget, sims })} />
      )}
      {budget.kind === "time" && (
        <NumberField label={t("time_ms")} value={budget.time_ms} {...range("time_ms")} onChange={(time_ms) => onChange({ ...budget, time_ms })} />
      )}
    </>
  );
}

function useDefaultPlayer(game: string): [string, (spec: string) => void] {
  const games = useShared(shared.games);
  const [player, setPlayer] = useState("");
  const adviser = games.state === "ready" ? (games.value.find((one) => one.name === gameOf(game))?.adviser ?? "") : "";
  useEffect(() => setPlayer(adviser), [adviser, gameOf(game)]);
  return [player, setPlayer];
}

function Solver(props: AskProps) {
  const t = useText(words);
  const [seconds, setSeconds] = useState(60);
  const { high = Infinity } = useRange("analysis")("time_ms");
  if (props.isHidden) return <p class="small quiet">{t("solve_hidden")}</p>;
  return (
    <>
      <div class="analyse-solve">
        <Button disabled={!props.canAsk} onClick={() => props.onAsk({ kind: "solve", time_ms: 1000 * seconds })}>
          {t("solve")}
        </Button>
        <NumberField label={t("solve_limit")} value={seconds} low={1} high={high / 1000} onChange={setSeconds} />
      </div>
      <p class="small quiet">{t("solve_help")}</p>
    </>
  );
}

export function AskPanel(props: AskProps) {
  const t = useText(words);
  const [player, setPlayer] = useDefaultPlayer(props.game);
  const [budget, setBudget] = useState<Budget>({ kind: "own", sims: 10_000, time_ms: 2000 });
  const [seed, setSeed] = useState(1);
  const [top, setTop] = useState(10);
  const range = useRange("analysis");
  const think = () => props.onAsk({ kind: "think", player, seed, top, ...budgetOf(budget) });
  return (
    <Panel title={t("ask")}>
      <PlayerPicker game={props.game} label={t("player")} value={player} onChange={setPlayer} />
      <div class="analyse-fields grid gap-3">
        <BudgetFields budget={budget} onChange={setBudget} />
        <NumberField label={t("seed")} value={seed} low={0} high={Number.MAX_SAFE_INTEGER} onChange={setSeed} />
        <NumberField label={t("top")} value={top} {...range("top")} onChange={setTop} />
      </div>
      <div class="row">
        <Button kind="main" hotkey="g" disabled={!props.canAsk || player === ""} onClick={think}>
          {t("think")}
        </Button>
      </div>
      {props.isHidden && (
        <div class="note">
          <strong>{t("hidden_title")}</strong>
          <p class="small">{t("hidden_text")}</p>
        </div>
      )}
      <hr />
      <Solver {...props} />
    </Panel>
  );
}

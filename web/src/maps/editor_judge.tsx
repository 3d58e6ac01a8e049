// SPDX-License-Identifier: MIT
//
// Fairness test in the editor: it runs while the user draws.

import { useMemo, useState } from "preact/hooks";

import type { TbsMap } from "../api/types";
import { href } from "../app/route";
import { useText } from "../app/text";
import { cancelJob, isUnderWay, startJob, useJob } from "../common/jobs";
import { Button, ErrorNote, Panel, ProgressBar } from "../common/parts";
import { sideCount } from "./edit";
import { judgementOf } from "./judge";
import { Bars, Remarks, Verdict } from "./judge_view";
import { playText } from "./launch";
import { fingerprint } from "./serial";
import { words as judging } from "./text_judge";
import { words } from "./text_editor";
import type { Checked } from "./use_check";

function LiveJudgement(props: { id: string }) {
  const t = useText(words);
  const j = useText(judging);
  const { job, error, again } = useJob(props.id);
  const judgement = useMemo(() => judgementOf(job), [job]);
  if (error !== null) return <ErrorNote error={error} retry={again} />;
  if (job === null) return <p class="quiet">{j("starting")}</p>;
  return (
    <div class="stack">
      <Verdict judgement={judgement} state={job.state} />
      <ProgressBar progress={job.progress} state={job.state} />
      {job.state === "failed" && <ErrorNote error={new Error(job.error)} />}
      <Bars judgement={judgement} short />
      <Remarks judgement={judgement} />
      <div class="row">
        {isUnderWay(job) && <Button onClick={() => void cancelJob(job.id)}>{j("stop")}</Button>}
        <a class="button button-quiet" href={href("maps", ["judge", job.id])}>{t("judge_open")}</a>
      </div>
    </div>
  );
}

const PLACE = "senjutsu.map-judged";

interface Judged {
  id: string;
  of: string; // the map's fingerprint
  from: string;
}

/** The last test if it belongs to this drawing; found again after a reload or a save. */
function lastJudged(from: string, map: TbsMap): Judged | null {
  try {
    const last = JSON.parse(sessionStorage.getItem(PLACE) ?? "null") as Judged | null;
    return last !== null && (last.from === from || last.of === fingerprint(map)) ? last : null;
  } catch {
    return null;
  }
}

export function JudgePanel(props: { map: TbsMap; from: string; checked: Checked }) {
  const t = useText(words);
  const { checked, map } = props;
  const [last, setLast] = useState(() => lastJudged(props.from, map));
  const [error, setError] = useState<unknown>(null);
  const isEmpty = sideCount(map, "red") === 0 || sideCount(map, "blue") === 0;
  const text = checked.check?.playable === true && checked.of === map && !isEmpty ? checked.check.text : null;
  const help = checked.check?.playable === false ? t("judge_blocked") : isEmpty ? t("judge_empty") : t("judge_text");
  const begin = () => {
    if (text === null) return;
    setError(null);
    startJob("judge", { map_text: text }).then((job) => {
      const judged = { id: job.id, of: fingerprint(map), from: props.from };
      sessionStorage.setItem(PLACE, JSON.stringify(judged));
      setLast(judged);
    }, setError);
  };
  const isOld = last !== null && last.of !== fingerprint(map);
  return (
    <Panel title={t("judge")}>
      <p class="quiet small">{help}</p>
      <div class="row">
        <Button kind={last === null || isOld ? "main" : "plain"} disabled={text === null} onClick={begin}>
          {last === null ? t("judge_start") : t("judge_again")}
        </Button>
        <Button disabled={text === null} onClick={() => text !== null && void playText(text).catch(setError)}>
          {t("play")}
        </Button>
      </div>
      {error !== null && <ErrorNote error={error} />}
      {isOld && <p class="small maps-warn">{t("judge_old")}</p>}
      {last !== null && <LiveJudgement key={last.id} id={last.id} />}
    </Panel>
  );
}

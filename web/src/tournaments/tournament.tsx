// SPDX-License-Identifier: MIT
//
// One tournament or match: progress, live games, tables, games.

import { useCallback, useEffect, useState } from "preact/hooks";

import { ApiError } from "../api/client";
import type { TournamentResult, Job, LiveBoard, MatchFigures } from "../api/types";
import { number, percent, signed } from "../app/format";
import { go, href } from "../app/route";
import { useText } from "../app/text";
import { useSubject } from "../app/title";
import { isProjector, setProjector } from "../common/theme";
import { JobActions } from "../common/job_actions";
import { isUnderWay, useJob } from "../common/jobs";
import { Button, Empty, ErrorNote, Panel, ProgressBar, Waiting } from "../common/parts";
import { Boards, useBoardsShown, withBoard } from "./boards";
import { Games, type Pair } from "./games";
import { Ratings } from "./ratings";
import { lengthened, noHistory } from "./report";
import { CrossTable, Highlights, Maps, Standings } from "./tables";
import { words } from "./text";

function TournamentActions(props: { job: Job; onChange: () => void }) {
  const t = useText(words);
  const [big, setBig] = useState(isProjector);
  return (
    <JobActions job={props.job} ask={t("remove_ask")} onChange={props.onChange} onRemoved={() => go("tournaments")} stays={big}>
      <Button
        kind="quiet"
        pressed={big}
        onClick={() => {
          setProjector(!big);
          setBig(!big);
        }}
      >
        {t(big ? "projector_leave" : "projector")}
      </Button>
      {props.job.files.includes("results.html") && (
        <a class="button button-quiet" href={`/api/jobs/${encodeURIComponent(props.job.id)}/files/results.html`} target="_blank" rel="noopener">
          {t("report")}
        </a>
      )}
    </JobActions>
  );
}

/** Values that round to 0 or 100 % are shown as below or above. */
function likelihood(share: number): string {
  if (share > 0.999) return `> ${percent(0.999)}`;
  return share < 0.001 ? `< ${percent(0.001)}` : percent(share);
}

function MatchSummary(props: { match: MatchFigures }) {
  const t = useText(words);
  const { players, score, interval, games, wins, draws, elo } = props.match;
  if (games === 0) return null;
  return (
    <div class="tournaments-summary">
      <p class="tournaments-score">{t("match_score", { player: players[0], opponent: players[1], score: percent(score) })}</p>
      <p>
        {t("match_interval", {
          low: percent(interval[0]),
          high: percent(interval[1]),
          games: number(games),
          wins: number(wins[0]),
          draws: number(draws),
          losses: number(wins[1]),
        })}
      </p>
      <p>
        {t("match_elo", { difference: signed(elo.difference, 1), error: number(elo.error, 1) })} ·{" "}
        {t("superiority", { share: likelihood(elo.superiority) })}
      </p>
    </div>
  );
}

/** The report of a tournament; null for jobs of other kinds. */
function reportOf(job: Job | null): TournamentResult | null {
  return job !== null && (job.kind === "match" || job.kind === "tournament") ? job.result : null;
}

/** Live boards and rating history of a tournament. */
function useTournament(id: string) {
  const [boards, setBoards] = useState<LiveBoard[]>([]);
  const onBoard = useCallback((board: LiveBoard) => setBoards((known) => withBoard(known, board)), []);
  const followed = useJob(id, onBoard);
  const report = reportOf(followed.job);
  const [history, setHistory] = useState(noHistory);
  useEffect(() => {
    if (report !== null) setHistory((known) => lengthened(known, report));
  }, [report]);
  return { ...followed, report, history, boards };
}

/** The tournament does not exist, or the server does not respond. */
function NoEvent(props: { error: unknown; again: () => void }) {
  const t = useText(words);
  const isGone = props.error instanceof ApiError && props.error.status === 404;
  return (
    <>
      <h1>{t("title")}</h1>
      {isGone ? (
        <Empty text={t("gone")}>
          <a class="button" href={href("tournaments")}>{t("back")}</a>
        </Empty>
      ) : (
        <ErrorNote error={props.error} retry={props.again} />
      )}
    </>
  );
}

export function TournamentPage(props: { id: string }) {
  const t = useText(words);
  const { job, error, again, report, history, boards } = useTournament(props.id);
  const [pair, setPair] = useState<Pair | null>(null);
  const hasBoards = useBoardsShown(job !== null && isUnderWay(job));
  useSubject(job?.title ?? "");
  if (error !== null) return <NoEvent error={error} again={again} />;
  if (job === null) return <Waiting text={t("loading_event")} height="40rem" />;
  const isRated = job.kind === "tournament"; // a match shows the Elo difference instead
  const choose = (chosen: Pair) => {
    setPair(chosen);
    const games = document.getElementById("tournaments-games");
    games?.scrollIntoView({ block: "start" });
    games?.focus({ preventScroll: true });
  };
  return (
    <>
      <header class="tournaments-head stack gap-3">
        <h1>{job.title}</h1>
        <ProgressBar progress={job.progress} state={job.state} />
        {job.error !== "" && <ErrorNote error={new Error(job.error)} />}
        <TournamentActions job={job} onChange={again} />
      </header>
      {job.kind === "match" && job.result !== null && <MatchSummary match={job.result.match} />}
      <div class={hasBoards ? "tournaments-live" : "tournaments-live tournaments-rest"}>
        <Panel title={t("standings")}>
          {report === null || report.games === 0 ? <Empty text={t("standings_wait")} /> : <Standings report={report} rated={isRated} />}
        </Panel>
        {hasBoards && (
          <Panel title={t("boards")}>
            <Boards boards={boards} job={job.id} />
          </Panel>
        )}
      </div>
      {report !== null && report.games > 0 && (
        <>
          {isRated && (
            <>
              <Panel title={t("cross")}>
                <CrossTable report={report} onChoose={choose} />
              </Panel>
              <Panel title={t("ratings")}>
                <Ratings report={report} history={history} />
              </Panel>
            </>
          )}
          {report.maps.length > 1 && (
            <Panel title={t("maps")}>
              <Maps report={report} />
            </Panel>
          )}
          {report.highlights.length > 0 && (
            <Panel title={t("highlights")}>
              <Highlights report={report} job={job.id} />
            </Panel>
          )}
        </>
      )}
      <div id="tournaments-games" tabIndex={-1}>
        <Panel title={t("games")}>
          <Games job={job} pair={pair} onPair={setPair} played={report?.games ?? 0} />
        </Panel>
      </div>
    </>
  );
}

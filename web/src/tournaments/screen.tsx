// SPDX-License-Identifier: MIT
import type { JobInfo } from "../api/types";
import { time } from "../app/format";
import { href, type Route } from "../app/route";
import { useText } from "../app/text";
import { shared, useShared } from "../common/data";
import { useJobs } from "../common/jobs";
import { Empty, ErrorNote, Panel, ProgressBar, Waiting } from "../common/parts";
import { TournamentPage } from "./tournament";
import { NewEvent } from "./form";
import "./style.css";
import { words } from "./text";

function TournamentLine(props: { job: JobInfo }) {
  const { id, title, created, progress, state } = props.job;
  return (
    <li class="tournaments-line">
      <a href={href("tournaments", [id])}>{title}</a>
      <span class="small quiet">{time(created)}</span>
      <ProgressBar progress={progress} state={state} />
    </li>
  );
}

function TournamentList() {
  const t = useText(words);
  const matches = useJobs("match");
  const tournaments = useJobs("tournament");
  if (matches === null || tournaments === null) return <Waiting text={t("loading")} height="10rem" />;
  const all = [...matches, ...tournaments].sort((a, b) => (a.created < b.created ? 1 : -1));
  if (all.length === 0) return <Empty text={t("none")} />;
  return (
    <ul class="tournaments-lines">
      {all.map((job) => (
        <TournamentLine key={job.id} job={job} />
      ))}
    </ul>
  );
}

export function TournamentsScreen(props: { route: Route }) {
  const t = useText(words);
  const games = useShared(shared.games);
  const id = props.route.rest[0];
  if (id !== undefined)
    return (
      <div class="page stack">
        <a class="tournaments-back" href={href("tournaments")}>← {t("back")}</a>
        <TournamentPage key={id} id={id} />
      </div>
    );
  return (
    <div class="page stack">
      <h1>{t("title")}</h1>
      <p>{t("about")}</p>
      <Panel title={t("list")}>
        <TournamentList />
      </Panel>
      {games.state === "waiting" && <Waiting text={t("loading")} height="30rem" />}
      {games.state === "failed" && <ErrorNote error={games.error} retry={games.retry} />}
      {games.state === "ready" && <NewEvent games={games.value} />}
    </div>
  );
}

// SPDX-License-Identifier: MIT
import { useEffect, useRef } from "preact/hooks";

import type { ExperimentInfo } from "../api/types";
import { time } from "../app/format";
import { useHelp } from "../app/help";
import { href, type Route } from "../app/route";
import { useLanguage, useText } from "../app/text";
import { shared, useShared } from "../common/data";
import { useJobs } from "../common/jobs";
import { Empty, ErrorNote, Panel, Waiting } from "../common/parts";
import { Details } from "./details";
import { grouped } from "./result";
import { heading, summaryText } from "./result_text";
import "./style.css";
import { words } from "./text";

function Card(props: { experiment: ExperimentInfo }) {
  const t = useText(words);
  const help = useHelp();
  const language = useLanguage();
  const { name, title, published, duration, last } = props.experiment;
  return (
    <li class="experiments-card card">
      <a class="experiments-name" href={href("experiments", [name])}>
        {heading(help(title, "experiments", name, "title"))} <code class="experiments-code quiet">{name}</code>
      </a>
      <dl class="small">
        <dt>{t("published")}</dt>
        <dd>{help(published, "experiments", name, "published")}</dd>
        <dt>{t("takes")}</dt>
        <dd>{help(duration, "experiments", name, "duration")}</dd>
      </dl>
      <p class="small quiet">{last === null ? t("never") : t("last", { when: time(last.finished), summary: summaryText(last, language) })}</p>
    </li>
  );
}

function List(props: { experiments: ExperimentInfo[] }) {
  const t = useText(words);
  return (
    <div class="page stack">
      <h1>{t("title")}</h1>
      <p>{t("about")}</p>
      {grouped(props.experiments).map(({ group, members }) => (
        <Panel key={group} title={t(group)}>
          <ul class="experiments-list grid list">
            {members.map((one) => (
              <Card key={one.name} experiment={one} />
            ))}
          </ul>
        </Panel>
      ))}
    </div>
  );
}

function Unknown() {
  const t = useText(words);
  return (
    <>
      <h1>{t("title")}</h1>
      <Empty text={t("unknown")} />
    </>
  );
}

/** Reloads the latest results of the list when a run ends. */
function useFreshResults(): void {
  const jobs = useJobs("repro");
  const done = jobs?.filter(({ state }) => state === "done").length;
  const known = useRef(done);
  useEffect(() => {
    if (known.current !== undefined && done !== known.current) shared.experiments.refresh();
    known.current = done;
  }, [done]);
}

export function ExperimentsScreen(props: { route: Route }) {
  const t = useText(words);
  const experiments = useShared(shared.experiments);
  useFreshResults();
  if (experiments.state === "waiting") return <div class="page"><Waiting text={t("loading")} height="60vh" /></div>;
  if (experiments.state === "failed") return <div class="page"><ErrorNote error={experiments.error} retry={experiments.retry} /></div>;
  const name = props.route.rest[0];
  if (name === undefined) return <List experiments={experiments.value} />;
  const chosen = experiments.value.find((one) => one.name === name);
  return (
    <div class="page stack">
      <a href={href("experiments")}>← {t("back")}</a>
      {chosen === undefined ? <Unknown /> : <Details key={name} experiment={chosen} run={props.route.rest[1] ?? null} />}
    </div>
  );
}

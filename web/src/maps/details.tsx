// SPDX-License-Identifier: MIT
//
// #/maps/NAME: one map and its actions.

import { useMemo, useState } from "preact/hooks";

import { api, ApiError } from "../api/client";
import type { MapCheck, MapDetails } from "../api/types";
import { useHelp } from "../app/help";
import { go, href } from "../app/route";
import { useText } from "../app/text";
import { useSubject } from "../app/title";
import { shared, useLoaded, useOptional } from "../common/data";
import { mapDetails } from "../common/mappicture";
import { Button, Empty, ErrorNote, Panel, Waiting } from "../common/parts";
import { Question } from "../common/question";
import { mapPath, nameParts } from "./browse";
import { judge } from "./launch";
import { LargeBoard, MapFacts, MapText, problemCells, ProblemList } from "./pieces";
import { words } from "./text";

function Actions(props: { map: MapDetails }) {
  const t = useText(words);
  const { map } = props;
  const [error, setError] = useState<unknown>(null);
  const [asked, setAsked] = useState(false);
  const remove = () =>
    void api.remove(mapPath(map.name)).then(
      () => {
        shared.maps.refresh();
        go("maps");
      },
      (problem: unknown) => {
        setAsked(false);
        setError(problem);
      },
    );
  return (
    <div class="stack">
      <div class="maps-actions grid gap-2">
        <a class="button button-main" href={href("play", [], { map: map.name })}>{t("play")}</a>
        <Button onClick={() => void judge({ map: map.name }).catch(setError)}>{t("judge")}</Button>
        <a class="button button-plain" href={href("watch", [], { map: map.name })}>{t("watch")}</a>
        <a class="button button-plain" href={href("maps", ["edit", ...nameParts(map.name)])}>
          {map.mine ? t("edit") : t("edit_copy")}
        </a>
        <a class="button button-plain" href={href("maps", ["evolve"], { from: map.name })}>
          {t("evolve_from")}
        </a>
        <a class="button button-plain" href={`${mapPath(map.name)}/file`} download>{t("download")}</a>
        {map.mine && (
          <Button kind="danger" onClick={() => setAsked(true)}>{t("remove")}</Button>
        )}
      </div>
      {error !== null && <ErrorNote error={error} />}
      {asked && (
        <Question
          title={t("remove_title", { name: map.name })}
          text={t("remove_text")}
          yes={t("remove")}
          no={t("cancel")}
          danger
          onYes={remove}
          onNo={() => setAsked(false)}
        />
      )}
    </div>
  );
}

function Body(props: { map: MapDetails }) {
  const t = useText(words);
  const help = useHelp();
  const { map } = props;
  const stats = useOptional(() => api.post<MapCheck>("/api/maps/check", { text: map.text }), [map.text])?.stats ?? null;
  const cells = useMemo(() => problemCells(map.problems, map.map), [map]);
  return (
    <div class="split">
      <LargeBoard map={map.map} name={map.name} problems={cells} />
      <div class="stack">
        <Panel title={t("actions")}>
          <Actions map={map} />
        </Panel>
        <Panel title={t("facts")}>
          {map.comment !== "" && <p>{help(map.comment, "maps", map.name)}</p>}
          <MapFacts map={map.map} stats={stats} author={map.author} />
        </Panel>
        <Panel title={t("problems")}>
          <ProblemList check={{ problems: map.problems, stats }} />
        </Panel>
        <MapText text={map.text} />
      </div>
    </div>
  );
}

export function MapPage(props: { name: string }) {
  const t = useText(words);
  useSubject(props.name);
  const found = useLoaded(() => mapDetails(props.name), [props.name]);
  const isUnknown = found.state === "failed" && found.error instanceof ApiError && found.error.status === 404;
  return (
    <div class="page stack">
      <header>
        <a href={href("maps")}>← {t("back")}</a>
        <h1>{props.name}</h1>
      </header>
      {found.state === "waiting" && <Waiting text={t("loading_map")} height="70vh" />}
      {isUnknown && (
        <Empty text={t("unknown_map")}>
          <a class="button button-plain" href={href("maps")}>{t("show_all")}</a>
        </Empty>
      )}
      {found.state === "failed" && !isUnknown && <ErrorNote error={found.error} retry={found.retry} />}
      {found.state === "ready" && <Body map={found.value} />}
    </div>
  );
}

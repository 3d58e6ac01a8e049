// SPDX-License-Identifier: MIT
//
// #/maps and below: browsing, drawing, testing and evolving maps.

import { useLayoutEffect } from "preact/hooks";

import type { Route } from "../app/route";
import { MapPage } from "./details";
import { EditorPage } from "./editor";
import { EvolvePage } from "./evolve";
import { EvolveStart } from "./evolve_form";
import { JudgePage } from "./judge";
import { MapList } from "./list";
import { readPlace } from "./places";
import "./style.css";

export function MapsScreen(props: { route: Route }) {
  const place = readPlace(props.route);
  const address = props.route.rest.join("/");
  useLayoutEffect(() => {
    if (place.at !== "list") scrollTo(0, 0); // the list restores its scroll position
  }, [address]);
  switch (place.at) {
    case "list":
      return <MapList />;
    case "details":
      return <MapPage key={place.name} name={place.name} />;
    case "edit":
      return <EditorPage key={place.from} from={place.from} isDraft={place.isDraft} />;
    case "judge":
      return <JudgePage key={place.job} id={place.job} />;
    case "evolve":
      return place.job === null ? <EvolveStart from={place.from} /> : <EvolvePage key={place.job} id={place.job} />;
  }
}

// SPDX-License-Identifier: MIT
//
// A map as a small picture, by its name. Pictures are loaded shortly before they are visible, and cached.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { api } from "../api/client";
import type { MapDetails, TbsMap, TbsUnit } from "../api/types";
import { useText } from "../app/text";
import { TbsBoard } from "../board/tbs";
import { shared } from "./data";
import "./style.css";
import { useOptional } from "./data";
import { words } from "./text";

const details = new Map<string, Promise<MapDetails>>();
shared.maps.listen(() => details.clear()); // a map was saved or deleted

export function mapDetails(name: string): Promise<MapDetails> {
  let coming = details.get(name);
  if (coming === undefined) {
    coming = api.get<MapDetails>(`/api/maps/${name.split("/").map(encodeURIComponent).join("/")}`);
    coming.catch(() => details.delete(name));
    details.set(name, coming);
  }
  return coming;
}

/** A map's units as a board draws them. */
export function unitsOf(map: TbsMap): TbsUnit[] {
  return map.units.map((unit, id) => ({
    id,
    type: unit.type,
    side: unit.side === "red" ? 0 : 1,
    x: unit.x,
    y: unit.y,
    hp: unit.hp,
    done: unit.done ?? false,
  }));
}

export function MapDrawing(props: { map: TbsMap; label: string }) {
  return useMemo(
    () => (
      <div class="map-picture">
        <TbsBoard map={props.map} units={unitsOf(props.map)} label={props.label} small />
      </div>
    ),
    [props.map, props.label],
  );
}

function useSeen(): [{ current: HTMLDivElement | null }, boolean] {
  const box = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (box.current === null || seen) return undefined;
    const watch = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true), {
      rootMargin: "200px",
    });
    watch.observe(box.current);
    return () => watch.disconnect();
  }, [seen]);
  return [box, seen];
}

export function MapPicture(props: { name: string }) {
  const t = useText(words);
  const [box, seen] = useSeen();
  const map = useOptional(() => (seen && props.name !== "" ? mapDetails(props.name) : null), [props.name, seen])?.map;
  return map === undefined ? (
    <div class="map-picture" ref={box} role="img" aria-label={t("loading_map")} />
  ) : (
    <MapDrawing map={map} label={props.name} />
  );
}

// SPDX-License-Identifier: MIT
//
// An experiment's plots, and the positions it was played from.

import { useEffect, useState } from "preact/hooks";

import type { Job, ReproPlot, ReproResult } from "../api/types";
import { href } from "../app/route";
import { useLanguage, useText } from "../app/text";
import { MapPicture } from "../common/mappicture";
import { address, worded } from "./picture";
import { filePath, mapsOf } from "./result";
import { drawnText, plotText, scaled } from "./result_text";
import { words } from "./text";

/** Address of the picture in the current language; null: loading. On failure the English picture is shown. */
function usePicture(path: string, plot: ReproPlot, result: ReproResult): string | null {
  const language = useLanguage();
  const [picture, setPicture] = useState<string | null>(null);
  useEffect(() => {
    if (language === "en") return undefined;
    let gone = false;
    const tell = (shown: string) => gone || setPicture(shown);
    fetch(path)
      .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.statusText))))
      .then((svg) => tell(address(worded(svg, (text) => drawnText(text, plot, result, language)))))
      .catch(() => tell(path));
    return () => void (gone = true);
  }, [path, plot, result, language]);
  return language === "en" ? path : picture;
}

function Plot(props: { job: Job; plot: ReproPlot; result: ReproResult }) {
  const picture = usePicture(filePath(props.job, `${props.plot.name}.svg`), props.plot, props.result);
  const language = useLanguage();
  const title = scaled(plotText(props.plot, language), props.result, language);
  return (
    <div class="experiments-plot scroll-x" tabIndex={0} role="region" aria-label={title}>
      <img {...(picture === null ? {} : { src: picture })} alt={title} width="860" height="500" />
    </div>
  );
}

export function Plots(props: { job: Job; outcome: ReproResult }) {
  const t = useText(words);
  const language = useLanguage();
  return (
    <section>
      <h3>{t("plots")}</h3>
      <div class="experiments-plots">
        {props.outcome.plots.map((plot) => (
          <figure key={filePath(props.job, plot.name)}>
            {props.job.files.includes(`${plot.name}.svg`) ? (
              <Plot job={props.job} plot={plot} result={props.outcome} />
            ) : (
              <p class="quiet">{t("plot_missing")}</p>
            )}
            <figcaption class="small quiet">{scaled(plotText(plot, language), props.outcome, language)}</figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}

/** The maps that the experiment was played on. */
export function Positions(props: { files: string[] }) {
  const t = useText(words);
  const maps = mapsOf(props.files);
  if (maps.length === 0) return null;
  return (
    <section>
      <h3>{t("positions")}</h3>
      <ul class="experiments-positions grid list">
        {maps.map((map) => (
          <li key={map}>
            <MapPicture name={map} />
            <a class="small" href={href("maps", [map])}>{map}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

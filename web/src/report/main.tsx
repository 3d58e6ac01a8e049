// SPDX-License-Identifier: MIT
//
// The pages that the program writes into folders (src/base/encode.h): the workbench's components with data from the page
// itself. Nothing is fetched.

import { render } from "preact";
import { useEffect } from "preact/hooks";

import { chooseFirstLanguage, LanguageButton } from "../app/settings";
import "../app/style.css";
import { useLanguage } from "../app/text";
import { Experiments, type ExperimentsData } from "./experiments";
import { EvolvedGallery, type GalleryData } from "./gallery";
import "./style.css";
import { Tournament, type TournamentData } from "./tournament";

type Report =
  | { page: "tournament"; data: TournamentData }
  | { page: "gallery"; data: GalleryData }
  | { page: "experiments"; data: ExperimentsData };

function Page(props: { report: Report }) {
  const { report } = props;
  const language = useLanguage();
  useEffect(() => void (document.title = document.querySelector("h1")?.textContent ?? ""), [language]);
  return (
    <main class="page stack report">
      <div class="report-language no-print">
        <LanguageButton />
      </div>
      {report.page === "tournament" && <Tournament data={report.data} />}
      {report.page === "gallery" && <EvolvedGallery data={report.data} />}
      {report.page === "experiments" && <Experiments data={report.data} />}
    </main>
  );
}

const data = document.getElementById("data")?.textContent;
const app = document.getElementById("app");
if (data != null && app !== null) {
  chooseFirstLanguage();
  app.textContent = ""; // the plain tables
  render(<Page report={JSON.parse(data) as Report} />, app);
}

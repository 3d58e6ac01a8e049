// SPDX-License-Identifier: MIT
//
// The result of a tournament: cross-table.html for a screen, results.html for print.

import type { ColumnInfo, TournamentResult, Meeting, Standing } from "../api/types";
import { dateWords, number } from "../app/format";
import { faultName, gameName } from "../app/names";
import { useLanguage, useText } from "../app/text";
import { Panel } from "../common/parts";
import { Ratings } from "../tournaments/ratings";
import { noHistory, rulings_ja } from "../tournaments/report";
import "../tournaments/style.css";
import { CrossTable, Highlights, Maps, Standings } from "../tournaments/tables";
import { words as tables } from "../tournaments/text";
import { clockSentence, formatSentence, gamesSentence } from "./rules";
import { words } from "./text";

/** A game that a fault has decided. */
interface FaultyGame {
  number: number;
  map: string;
  first: string;
  second: string;
  fault: string;
  forfeiter: string;
  ruling: string; // what the forfeiter did
}

export interface TournamentData {
  report: TournamentResult;
  columns: ColumnInfo[];
  print: boolean;
  on_maps: boolean;
  faults: FaultyGame[]; // the first of them
  fault_count: number;
  store: string | null;
}

const CROSS_PLAYERS_MAX = 16; // more do not fit on paper

const short = (points: number) => number(points, [0, 1, 2].find((digits) => Math.abs(points - Number(points.toFixed(digits))) < 1e-6) ?? 2);

function Facts(props: { data: TournamentData }) {
  const t = useText(words);
  const { report, on_maps } = props.data;
  const { points, clock } = report.rules;
  const facts: [string, string][] = [
    ...(report.times.date === "" ? [] : [[t("date"), dateWords(report.times.date)] as [string, string]]),
    [t("format"), formatSentence(props.data, t)],
    [t("players"), number(report.standings.length)],
    on_maps ? [t("maps"), `${number(report.maps.length)}: ${report.maps.map(({ map }) => map).join(", ")}`] : [t("game"), gameName(report.game)],
    [t("games"), gamesSentence(report, t)],
    [t("clock"), clockSentence(clock, t)],
    [t("points"), t("points_value", { win: short(points.win), draw: short(points.draw), loss: short(points.loss) })],
    [t("seed"), String(report.seed)],
  ];
  return (
    <dl class="report-facts">
      {facts.map(([name, value]) => (
        <>
          <dt key={`${name}t`}>{name}</dt>
          <dd key={name}>{value}</dd>
        </>
      ))}
    </dl>
  );
}

function MeetingLine(props: { meeting: Meeting }) {
  const t = useText(words);
  const { player, opponent, points, games, games_open } = props.meeting;
  const winner = games_open > 0 || points[0] === points[1] ? null : points[0] > points[1] ? player : opponent;
  return (
    <li>
      {[player, opponent].map((name, at) => (
        <>
          {at > 0 && " – "}
          {name === winner ? <strong key={name}>{name}</strong> : <span key={name}>{name}</span>}
        </>
      ))}{" "}
      {games > 0 && (
        <span class="numbers">{short(points[0])} : {short(points[1])}</span>
      )}{" "}
      {games_open > 0 && <span class="small quiet">{t("games_open", { games: games_open })}</span>}
    </li>
  );
}

/** Play-offs and final, or a whole knock-out, round by round. */
function Meetings(props: { meetings: Meeting[] }) {
  const t = useText(words);
  const rounds = new Map<string, Meeting[]>();
  for (const meeting of props.meetings) {
    const round = t(`stage_${meeting.stage}`, { round: meeting.round + 1 });
    rounds.set(round, [...(rounds.get(round) ?? []), meeting]);
  }
  return (
    <>
      {[...rounds].map(([round, meetings]) => (
        <section key={round}>
          <h3>{round}</h3>
          <ul>
            {meetings.map((meeting, at) => (
              <MeetingLine key={at} meeting={meeting} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** In place of a cross-table that would be too wide for paper. */
function Pairings(props: { report: TournamentResult }) {
  const t = useText(words);
  return (
    <>
      <p class="small quiet">{t("pairings_about")}</p>
      <ul class="report-pairings list small">
        {props.report.pairings.map(({ player, opponent, points, wins, draws, losses }) => (
          <li key={`${player} ${opponent}`}>
            {player} – {opponent}{" "}
            <span class="numbers">{short(points[0])} : {short(points[1])} ({wins}/{draws}/{losses})</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Faults(props: { data: TournamentData }) {
  const t = useText(words);
  const language = useLanguage();
  const { faults, fault_count } = props.data;
  const { voids } = props.data.report.times;
  const gap = Math.max(0, ...voids.map(({ gap_seconds }) => gap_seconds));
  return (
    <Panel title={t("faults")}>
      {fault_count === 0 ? (
        <p>{t("no_faults")}</p>
      ) : (
        <div class="scroll-x">
          <p class="small quiet">{t("faults_about")}</p>
          <table>
            <thead>
              <tr>
                {(["number", "forfeiter", "against", "map", "fault", "ruling"] as const).map((name) => (
                  <th key={name} scope="col">{t(name)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {faults.map((game) => (
                <tr key={game.number}>
                  <td class="numbers">{game.number}</td>
                  <td>{game.forfeiter}</td>
                  <td>{game.forfeiter === game.first ? game.second : game.first}</td>
                  <td>{game.map}</td>
                  <td>{faultName(game.fault)}</td>
                  <td>{(language === "ja" ? rulings_ja[game.fault] : undefined) ?? game.ruling}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {fault_count > faults.length && <p class="small quiet">{t("more_faults", { count: fault_count - faults.length })}</p>}
        </div>
      )}
      {voids.length > 0 && <p>{t("voids", { games: voids.length, gap: number(gap, 1) })}</p>}
    </Panel>
  );
}

function Appendix(props: { data: TournamentData }) {
  const t = useText(words);
  const { report, store } = props.data;
  return (
    <>
      <Panel title={t("verify")}>
        <p>
          <code>senjutsu verify {store ?? "STORE"}</code> {t("verify_about", { seed: String(report.seed) })}
        </p>
      </Panel>
      <Panel title={t("entrants")}>
        <table>
          <tbody>
            {report.standings.map(({ player, spec }: Standing) => (
              <tr key={player}>
                <th scope="row">{player}</th>
                <td>
                  <code>{spec}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
      <Panel title={t("rules")}>
        <pre class="small report-rules">{JSON.stringify(report.rules, null, 2)}</pre>
      </Panel>
    </>
  );
}

function Notes(props: { report: TournamentResult }) {
  const t = useText(words);
  const { standings } = props.report;
  return (
    <p class="small quiet">
      {standings.some((one) => one.decided_by === "play-off") && `${t("note_playoff")} `}
      {standings.some((one) => one.decided_by === "final") && `${t("note_final")} `}
      {standings.some((one) => one.walkovers > 0) && `${t("note_walkovers")} `}
      {t("note")}
    </p>
  );
}

export function Tournament(props: { data: TournamentData }) {
  const t = useText(words);
  const h = useText(tables);
  const { data } = props;
  const { report, print } = data;
  const isNarrow = !print || report.standings.length <= CROSS_PLAYERS_MAX;
  return (
    <>
      <header>
        <h1>{report.title === "" ? t("tournament") : report.title}</h1>
        <p class="quiet">{t(report.complete ? "complete" : "so_far")}</p>
        <Facts data={data} />
      </header>
      <Panel title={h("standings")}>
        <Standings report={report} columns={data.columns} rated />
        <Notes report={report} />
      </Panel>
      <Panel title={isNarrow ? h("cross") : t("pairings")}>
        {isNarrow ? <CrossTable report={report} /> : <Pairings report={report} />}
      </Panel>
      {report.meetings.length > 0 && (
        <Panel title={t(report.format === "knock-out" ? "rounds_title" : "meetings")}>
          <Meetings meetings={report.meetings} />
        </Panel>
      )}
      {print && <Faults data={data} />}
      {!print && (
        <Panel title={h("ratings")}>
          <Ratings report={report} history={noHistory} />
        </Panel>
      )}
      <Panel title={data.on_maps ? t("maps") : t("sides")}>
        <Maps report={report} />
      </Panel>
      {report.highlights.length > 0 && (
        <Panel title={h("highlights")}>
          <Highlights report={report} />
        </Panel>
      )}
      {print && <Appendix data={data} />}
    </>
  );
}

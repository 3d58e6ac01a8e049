// SPDX-License-Identifier: MIT
//
// The players: a list, and a page for each with its description and options.

import { useState } from "preact/hooks";

import type { Param, PlayerInfo } from "../api/types";
import { gameName, number } from "../app/names";
import { useHelp } from "../app/help";
import { href } from "../app/route";
import { pick, language, useText } from "../app/text";
import { shared, useShared } from "../common/data";
import { Button, Empty, ErrorNote, Panel, Waiting } from "../common/parts";
import { about } from "./players_text";
import { words } from "./text";

type Family = "tbs" | "geister" | "all";

/** Supported games: one of the two main games, or all (also external programs, if not allowed here). */
export function familyOf(player: PlayerInfo): Family {
  const plays = (game: string): boolean => player.games.includes(game);
  if (plays("tbs") === plays("geister")) return "all";
  return plays("geister") ? "geister" : "tbs";
}

export function PlayerList(props: { level: 2 | 3 }) {
  const t = useText(words);
  const help = useHelp();
  const players = useShared(shared.players);
  if (players.state === "failed") return <ErrorNote error={players.error} retry={players.retry} />;
  if (players.state === "waiting") return <Waiting text={t("loading_players")} height="30rem" />;
  const families: Family[] = ["tbs", "geister", "all"];
  const Heading = props.level === 2 ? "h2" : "h3";
  return (
    <div class="stack">
      {families.map((family) => (
        <section key={family} class="stack">
          <Heading>{t(`for_${family}`)}</Heading>
          <ul class="grid learn-players list">
            {players.value.filter((player) => familyOf(player) === family).map((player) => (
              <li key={player.name}>
                <a href={href("learn", ["players", player.name])}>{player.name}</a>
                <p class="small quiet">{help(player.help, "players", player.name)}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

export function PlayerPage(props: { name: string }) {
  const t = useText(words);
  const help = useHelp();
  const players = useShared(shared.players);
  if (players.state === "failed") return <ErrorNote error={players.error} retry={players.retry} />;
  if (players.state === "waiting") return <Waiting text={t("loading_players")} height="40rem" />;
  const player = players.value.find(({ name }) => name === props.name);
  if (player === undefined)
    return (
      <>
        <h1>{t("players")}</h1>
        <Empty text={t("unknown_player")}>
          <a class="button" href={href("learn", ["players"])}>{t("all_players")}</a>
        </Empty>
      </>
    );
  return (
    <div class="stack">
      <div>
        <h1>{player.name}</h1>
        <p class="quiet">{help(player.help, "players", player.name)}</p>
      </div>
      <p>{pick(about[player.name] ?? ["", ""], language())}</p>
      {player.games.length > 0 && <TryIt player={player} />}
      <Panel title={t("options")}>
        <Options of={player.name} options={player.options} />
      </Panel>
    </div>
  );
}

function TryIt({ player }: { player: PlayerInfo }) {
  const t = useText(words);
  const [copied, setCopied] = useState(false);
  const copy = (): void => void navigator.clipboard?.writeText(player.name).then(() => setCopied(true), () => {});
  const playable = player.games.filter((game) => game === "tbs" || game === "geister");
  return (
    <Panel title={t("try_it")}>
      <p>
        {t("plays", { games: player.games.map((game) => gameName(game)).join(language() === "en" ? ", " : "、") })}
      </p>
      <div class="row">
        {playable.map((game) => (
          <a key={game} class="button button-main" href={href("play", [], { game, player: player.name })}>
            {t("play_against")}
            {playable.length > 1 && ` (${gameName(game)})`}
          </a>
        ))}
        {playable.map((game) => (
          <a key={game} class="button" href={href("watch", [], { game, player: player.name })}>
            {t("watch_it")}
            {playable.length > 1 && ` (${gameName(game)})`}
          </a>
        ))}
      </div>
      <div class="row">
        <span>{t("spec_text")}</span> <code>{player.name}</code>
        <Button kind="quiet" onClick={copy}>{copied ? t("copied") : t("copy_spec")}</Button>
      </div>
    </Panel>
  );
}

/** Small fractions unchanged, large numbers with separators. */
const figure = (value: number): string => (Number.isInteger(value) ? number(value) : String(value));

function useValues(): (param: Param) => string {
  const t = useText(words);
  return (param) => {
    if (param.kind === "choice") return (param.choices ?? []).join(", ");
    if (param.kind === "switch") return t("yes_no");
    return param.low === undefined ? t("any_text") : t("range", { low: figure(param.low), high: figure(param.high ?? param.low) });
  };
}

function Options({ of, options }: { of: string; options: Param[] }) {
  const t = useText(words);
  const help = useHelp();
  const values = useValues();
  if (options.length === 0) return <p class="quiet">{t("no_options")}</p>;
  return (
    <div class="scroll-x">
      <table class="learn-options">
        <thead>
          <tr>
            <th scope="col">{t("option")}</th>
            <th scope="col">{t("default_value")}</th>
            <th scope="col">{t("values")}</th>
            <th scope="col">{t("meaning")}</th>
          </tr>
        </thead>
        <tbody>
          {options.map((option) => (
            <tr key={option.name}>
              <th scope="row">
                <code>{option.name}</code>
              </th>
              <td data-label={t("default_value")}>
                <code>{option.default === "" ? "–" : option.default}</code>
              </td>
              <td data-label={t("values")}>{values(option)}</td>
              <td>{help(option.help, "players", of, option.name)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// SPDX-License-Identifier: MIT
//
// The frame of every screen: navigation, jobs, settings, and error messages.

import { Component, type ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { useArrival } from "../common/arrival";
import { useLive } from "../common/live";
import { Button, ErrorNote, Waiting } from "../common/parts";
import { fetchScreen } from "./fetching";
import { Home } from "./home";
import { JobsMenu } from "./jobs_menu";
import { href, useRoute, type Route } from "./route";
import { isScreen, placeOf, screenNames, type Screen, type ScreenName } from "./screens";
import { chooseFirstLanguage, LanguageButton, SettingsMenu } from "./settings";
import "./shell.css";
import { useLanguage, useText } from "./text";
import { words } from "./shell_text";
import { useTitle } from "./title";

chooseFirstLanguage();

function Mark() {
  return (
    <svg class="shell-mark" viewBox="0 0 32 32" aria-hidden="true">
      <circle class="is-red" cx="11.5" cy="11.5" r="9.5" />
      <rect class="is-blue" x="13" y="13" width="17" height="17" rx="2.5" />
    </svg>
  );
}

/** On a narrow window the navigation scrolls: the current screen must be visible. */
function useCurrentInView(screen: string) {
  const nav = useRef<HTMLElement>(null);
  const at = useLanguage();
  useLayoutEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (nav.current === null || !link) return;
    const [box, own] = [nav.current.getBoundingClientRect(), link.getBoundingClientRect()];
    if (own.left < box.left) nav.current.scrollLeft -= box.left - own.left;
    else if (own.right > box.right) nav.current.scrollLeft += own.right - box.right;
  }, [screen, at]);
  return nav;
}

function Header(props: { route: Route }) {
  const t = useText(words);
  const nav = useCurrentInView(props.route.screen);
  return (
    <header class="shell-header no-print">
      <a class="shell-brand" href={href("")} aria-label={t("home")}>
        <Mark />
        <span>senjutsu</span>
      </a>
      <nav class="shell-nav" aria-label={t("navigation")} ref={nav}>
        {screenNames.map((name) => (
          <a key={name} href={href(name)} aria-current={props.route.screen === name ? "page" : undefined}>
            {t(name)}
          </a>
        ))}
      </nav>
      <div class="shell-tools">
        <JobsMenu />
        <LanguageButton />
        <SettingsMenu />
      </div>
    </header>
  );
}

const LOST_AFTER_MS = 2000; // short interruptions are not reported

function LostBanner() {
  const t = useText(words);
  const { lost } = useLive();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!lost) {
      setShown(false);
      return undefined;
    }
    const timer = setTimeout(() => setShown(true), LOST_AFTER_MS);
    return () => clearTimeout(timer);
  }, [lost]);
  return <div class="shell-lost" role="status">{shown && <p>{t("lost")}</p>}</div>;
}

function Broken(props: { error: unknown }) {
  const t = useText(words);
  return (
    <div class="page stack">
      <h1>{t("broken")}</h1>
      <p>{t("broken_help")}</p>
      <div class="row">
        <Button kind="main" onClick={() => location.reload()}>{t("reload")}</Button>
        <a class="button" href={href("")}>{t("to_start")}</a>
      </div>
      <pre>{props.error instanceof Error ? (props.error.stack ?? props.error.message) : String(props.error)}</pre>
    </div>
  );
}

/** Limits an error to one screen; a new address tries again. */
class Boundary extends Component<{ place: string; children: ComponentChildren }, { error: unknown; place: string }> {
  override state = { error: undefined as unknown, place: this.props.place };

  static override getDerivedStateFromError(error: unknown) {
    return { error: error ?? "?" };
  }

  static override getDerivedStateFromProps(props: { place: string }, state: { place: string }) {
    return props.place === state.place ? null : { error: undefined, place: props.place };
  }

  override render() {
    return this.state.error === undefined ? this.props.children : <Broken error={this.state.error} />;
  }
}

function Unknown() {
  const t = useText(words);
  return (
    <div class="page stack">
      <h1>{t("unknown")}</h1>
      <p>{t("unknown_help", { address: location.hash })}</p>
      <div class="row">
        <a class="button button-main" href={href("")}>{t("to_start")}</a>
      </div>
    </div>
  );
}

const loaded = new Map<ScreenName, Screen>();

/** A screen that could not be loaded is retried when the server is back, or by a button. */
function useScreen(name: ScreenName): { failed: boolean; again: () => void } {
  const { lost } = useLive();
  const [, draw] = useState(0);
  const [failed, setFailed] = useState<ScreenName | null>(null);
  const [attempt, setAttempt] = useState(0);
  const again = () => setAttempt((n) => n + 1);
  useEffect(() => {
    let gone = false;
    setFailed(null);
    if (loaded.has(name)) return undefined;
    fetchScreen(name).then(
      (screen) => {
        loaded.set(name, screen);
        if (!gone) draw((n) => n + 1);
      },
      () => gone || setFailed(name),
    );
    return () => void (gone = true);
  }, [name, attempt]);
  useEffect(() => {
    if (!lost && failed === name) again();
  }, [lost]);
  return { failed: failed === name, again };
}

function Lazy(props: { name: ScreenName; route: Route }) {
  const t = useText(words);
  const { name } = props;
  const { failed, again } = useScreen(name);
  const Loaded = loaded.get(name);
  if (Loaded !== undefined) return <Loaded route={props.route} />;
  if (!failed) return <Waiting text={t("screen_coming", { name: t(name) })} height="60vh" />;
  return (
    <div class="page stack">
      <h1>{t(name)}</h1>
      <ErrorNote error={new Error(t("load_failed"))} retry={again} />
    </div>
  );
}

function Content(props: { route: Route }) {
  const { route } = props;
  if (route.screen === "") return <Home />;
  return isScreen(route.screen) ? <Lazy name={route.screen} route={route} /> : <Unknown />;
}

export function Shell() {
  const t = useText(words);
  const route = useRoute();
  const main = useArrival(placeOf(route));
  useTitle(isScreen(route.screen) ? t(route.screen) : "");
  return (
    <>
      <a class="shell-skip" href="#content" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        {t("skip")}
      </a>
      <Header route={route} />
      <LostBanner />
      <main id="content" tabIndex={-1} ref={main}>
        <Boundary place={`${route.screen}/${route.rest.join("/")}`}>
          <Content route={route} />
        </Boundary>
      </main>
    </>
  );
}

// SPDX-License-Identifier: MIT
//
// User settings: language, appearance, sounds, size. Stored in the browser.

import { useState } from "preact/hooks";

import { Checkbox, SelectField } from "../common/parts";
import { isProjector, store, stored, setProjector, setTheme, theme, type Theme } from "../common/theme";
import { Menu } from "./menu";
import { isSoundOn, setSound } from "./sound";
import { firstLanguage, language, setLanguage, useLanguage, useText, type Language } from "./text";
import { words } from "./shell_text";

const languageKey = "senjutsu.language";
const languages: { value: Language; label: string }[] = [
  { value: "en", label: "English" },
  { value: "ja", label: "日本語" },
];

export function chooseFirstLanguage(): void {
  setLanguage(firstLanguage(stored(languageKey), navigator.languages));
}

function chooseLanguage(wanted: Language): void {
  store(languageKey, wanted);
  setLanguage(wanted);
}

/** The other language, by its own name. */
export function LanguageButton() {
  useLanguage();
  const other = languages.find(({ value }) => value !== language());
  if (other === undefined) return null;
  return (
    <button type="button" class="button button-quiet" lang={other.value} onClick={() => chooseLanguage(other.value)}>
      {other.label}
    </button>
  );
}

function Gear() {
  return (
    <svg class="shell-gear" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M3 5.5H10M14.5 5.5H17M3 10H5M9.5 10H17M3 14.5H9M13.5 14.5H17" />
      <circle cx="12.2" cy="5.5" r="2.1" />
      <circle cx="7.2" cy="10" r="2.1" />
      <circle cx="11.2" cy="14.5" r="2.1" />
    </svg>
  );
}

export function SettingsMenu() {
  const t = useText(words);
  const [, draw] = useState(0);
  const change = (act: () => void) => {
    act();
    draw((n) => n + 1);
  };
  const themes: { value: Theme; label: string }[] = [
    { value: "auto", label: t("theme_auto") },
    { value: "light", label: t("theme_light") },
    { value: "dark", label: t("theme_dark") },
  ];
  return (
    <Menu sign={<Gear />} label={t("settings")}>
      <h2>{t("settings")}</h2>
      <SelectField label={t("language")} value={language()} options={languages} onChange={chooseLanguage} />
      <SelectField label={t("theme")} value={theme()} options={themes} onChange={(wanted) => change(() => setTheme(wanted))} />
      <Checkbox checked={isSoundOn()} onChange={(on) => change(() => setSound(on))} label={t("sound")} />
      <Checkbox checked={isProjector()} onChange={(on) => change(() => setProjector(on))} label={t("projector")} />
    </Menu>
  );
}

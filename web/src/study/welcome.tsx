// SPDX-License-Identifier: MIT
//
// The first step: what the study is about, what participants may say about themselves, and the agreement. Nothing is
// sent or stored before it.

import { useId, useState } from "preact/hooks";

import type { Study, StudyConsent } from "../api/types";
import { useLanguage, useText } from "../app/text";
import { Button, SelectField } from "../common/parts";
import { cleaned, keepKey, lengthOf, linkOf, paragraphs, textIn, visitOf, type Link } from "./logic";
import { words } from "./text";
import type { FollowedStudy } from "./use_study";

/** Sends the agreement; a visitor of the open link becomes a participant with a link of their own. */
async function agree(live: FollowedStudy, link: Link, consent: StudyConsent): Promise<void> {
  const who = "open" in link ? { open: link.open, visit: visitOf(link.open) } : link;
  const study = await live.change<Study>("/api/study/consent", { ...who, ...consent });
  if (study?.key === undefined || !("open" in link)) return;
  keepKey(link.open, study.key);
  location.replace(linkOf(study.key));
}

export function Welcome(props: { live: FollowedStudy; study: Study; link: Link }) {
  const t = useText(words);
  const at = useLanguage();
  const { live, study } = props;
  const [name, setName] = useState("");
  const [about, setAbout] = useState<Record<string, string>>({});
  const isLong = lengthOf(name) > study.name_max;
  const send = (): void => {
    const given = Object.fromEntries(Object.entries(about).filter(([, choice]) => choice !== ""));
    const own = cleaned(name).replaceAll("\n", " ");
    void agree(live, props.link, { accept: true, language: at, ...(own === "" ? {} : { name: own }), about: given });
  };
  return (
    <>
      <h1>{t("consent_title")}</h1>
      <div class="study-text stack gap-3">
        {paragraphs(textIn(study.consent_text, at)).map((part) => (
          <p key={part}>{part}</p>
        ))}
      </div>
      <section class="panel study-about">
        <h2>{t("about_title")}</h2>
        <p class="quiet small">{t("about_text")}</p>
        <NameField value={name} max={study.name_max} onChange={setName} />
        {study.about_questions.map(({ id, text, choices }) => (
          <SelectField
            key={id}
            label={textIn(text, at)}
            value={about[id] ?? ""}
            options={[{ value: "", label: t("no_answer") }, ...choices.map((one) => ({ value: one.id, label: textIn(one.text, at) }))]}
            onChange={(choice) => setAbout({ ...about, [id]: choice })}
          />
        ))}
      </section>
      <p>{t("nothing_yet")}</p>
      <div>
        <Button kind="main" disabled={live.busy || isLong} onClick={send}>{t(live.busy ? "agreeing" : "agree")}</Button>
      </div>
    </>
  );
}

function NameField(props: { value: string; max: number; onChange: (name: string) => void }) {
  const t = useText(words);
  const id = useId();
  const isLong = lengthOf(props.value) > props.max;
  return (
    <div class="field">
      <label class="field-label small" for={id}>
        {t("name")} <span class="quiet study-optional">{t("optional")}</span>
      </label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        spellcheck={false}
        value={props.value}
        aria-invalid={isLong}
        aria-describedby={`${id}h`}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      <span id={`${id}h`} class={`small ${isLong ? "field-error" : "quiet"}`}>{isLong ? t("too_long", { max: props.max }) : t("name_help")}</span>
    </div>
  );
}

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { Plus, X } from "#components/ui/icons.tsx";
import { MESSAGE_KINDS } from "#contract/names.ts";
import { useScope } from "#components/context/seller-context.tsx";
import { ownNameOf } from "#contract/message-text.ts";
import { LANGUAGE_NAMES, LANGUAGES } from "#lib/i18n/languages.ts";
import { remindersQuery } from "#lib/messages/reminders/queries.ts";
import type { Template } from "#lib/messages/sending/rules.ts";
import { useKindName } from "#components/values/message-words.tsx";

const MOST = 20;
// The same languages as OUR_LANGUAGES, whose file contains every default text too.
const OURS = LANGUAGES.map((code) => ({ code, name: LANGUAGE_NAMES[code] }));
const NEW: Template = { kind: "code", language: "en", name: "", template_language: "en" };

/** The templates that the fields name; rows without a name are left out. */
export function readTemplates(form: HTMLFormElement) {
  const data = new FormData(form);
  const all = (name: string) => data.getAll(`template.${name}`).map(String);
  const [kinds, languages, codes] = [all("kind"), all("language"), all("code")];
  return all("name").flatMap((name, at) => {
    const kind = MESSAGE_KINDS.find((known) => known === kinds[at]);
    if (!kind || name.trim() === "") return [];
    return {
      kind,
      language: languages[at] ?? "",
      name: name.trim(),
      template_language: (codes[at] ?? "").trim(),
    };
  });
}

/** The approved WhatsApp templates, each for one kind of message in one language. */
export function TemplateFields({ templates }: { templates: Template[] }) {
  const t = useTranslations("sending.templates");
  const kindName = useKindName();
  const id = useId();
  const { data } = useQuery(remindersQuery(useScope()));
  const known = data?.languages ?? OURS;
  const used = templates.map(({ language }) => language);
  const others = [...new Set(used)].filter((code) => known.every((one) => one.code !== code));
  const languages = [
    ...known,
    ...others.map((code) => ({ code, name: ownNameOf(code) ?? code })),
  ];
  const [rows, setRows] = useState(() => templates.map((template, key) => ({ key, template })));
  const add = () =>
    setRows((before) => [...before, { key: (before.at(-1)?.key ?? -1) + 1, template: NEW }]);
  return (
    <fieldset className="grid gap-3">
      <legend className="font-medium">{t("title")}</legend>
      <p className="text-sm text-pretty text-muted">{t("text")}</p>
      {rows.map(({ key, template }, at) => (
        <div
          key={key}
          role="group"
          aria-label={t("one", { number: at + 1 })}
          className="grid grid-cols-2 gap-3 rounded border p-3"
        >
          <SelectField
            id={`${id}-${key}-kind`}
            name="template.kind"
            label={t("kind")}
            defaultValue={template.kind}
            options={MESSAGE_KINDS.map((kind) => [kind, kindName(kind)])}
          />
          <SelectField
            id={`${id}-${key}-language`}
            name="template.language"
            label={t("language")}
            defaultValue={template.language}
          >
            {languages.map(({ code, name }) => (
              <option key={code} value={code} lang={code}>
                {name}
              </option>
            ))}
          </SelectField>
          <TextField
            id={`${id}-${key}-name`}
            name="template.name"
            label={t("name")}
            defaultValue={template.name}
            maxLength={200}
            spellCheck={false}
            autoComplete="off"
          />
          <TextField
            id={`${id}-${key}-code`}
            name="template.code"
            label={t("code")}
            defaultValue={template.template_language}
            maxLength={20}
            spellCheck={false}
            autoComplete="off"
          />
          <Button
            look="quiet"
            className="justify-self-start"
            aria-label={t("remove", { number: at + 1 })}
            onClick={() => setRows((before) => before.filter((row) => row.key !== key))}
          >
            <X aria-hidden className="size-4" />
          </Button>
        </div>
      ))}
      {rows.length < MOST && (
        <Button className="justify-self-start" onClick={add}>
          <Plus aria-hidden className="size-4" />
          {t("add")}
        </Button>
      )}
    </fieldset>
  );
}

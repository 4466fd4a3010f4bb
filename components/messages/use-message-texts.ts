import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { useSellerAction } from "#components/forms/use-action.tsx";
import { updateMessageAction } from "#lib/messages/reminders/actions.ts";
import { remindersQuery } from "#lib/messages/reminders/queries.ts";
import {
  problemIn,
  REMINDER_FORMS,
  type ReminderForm,
  type ReminderKind,
  type Reminders,
  type SellerLanguage,
} from "#lib/messages/reminders/rules.ts";
import { readMessage } from "#lib/messages/rules.ts";

export type Texts = Reminders[ReminderKind];

const NO_TEXTS = { any: "", sms: "", subject: "" };

/** The edited texts of one kind, the selected one, and how to save them. */
export function useMessageTexts(
  kind: ReminderKind,
  saved: Texts,
  languages: readonly SellerLanguage[],
) {
  const scope = useScope();
  const queryClient = useQueryClient();
  const { run, isPending, failure } = useSellerAction(updateMessageAction);
  const [texts, setTexts] = useState(saved);
  const [kept, setKept] = useState(saved);
  const [form, setForm] = useState<ReminderForm>("any");
  const [isSaved, setSaved] = useState(false);
  /** Number of saves refused before they were sent. */
  const [refusals, setRefusals] = useState(0);
  const every = REMINDER_FORMS.flatMap((part) =>
    languages.map(({ code }) => ({ form: part, language: code })),
  );
  const of = (all: Texts, language: string, part: ReminderForm) =>
    (all[language] ?? NO_TEXTS)[part];
  const changed = every.filter(
    ({ form: part, language }) =>
      readMessage(of(texts, language, part)) !== readMessage(of(kept, language, part)),
  );
  const problemOf = (part: ReminderForm, language: string) =>
    problemIn(language, part, readMessage(of(texts, language, part)));

  async function save() {
    setSaved(false);
    const wrong = changed.find(({ form: part, language }) => problemOf(part, language));
    if (wrong) {
      setForm(wrong.form);
      setRefusals((count) => count + 1);
      return;
    }
    const edited = changed.map(({ form: part, language }) => ({
      form: part,
      language,
      body: of(texts, language, part),
    }));
    if (edited.length > 0 && !(await run({ kind, texts: edited }))) return;
    setKept(texts);
    setSaved(true);
    void queryClient.invalidateQueries({ queryKey: remindersQuery(scope).queryKey });
  }

  return {
    form,
    setForm,
    bodyOf: (language: string) => of(texts, language, form),
    problemOf: (language: string) => problemOf(form, language),
    setBody: (language: string, body: string) => {
      setTexts((all) => ({
        ...all,
        [language]: { ...(all[language] ?? NO_TEXTS), [form]: body },
      }));
      setSaved(false);
    },
    submit: (event: FormEvent) => {
      event.preventDefault();
      void save();
    },
    isSaved,
    isDirty: changed.length > 0,
    isPending,
    failure,
    refusals,
  };
}

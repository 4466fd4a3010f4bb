import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { useSellerAction } from "#components/forms/use-action.tsx";
import { LANGUAGES, type Language } from "#lib/i18n/languages.ts";
import { updateMessageAction } from "#lib/messages/reminders/actions.ts";
import { remindersQuery } from "#lib/messages/reminders/queries.ts";
import {
  REMINDER_FORMS,
  reminderProblem,
  type ReminderForm,
  type ReminderKind,
} from "#lib/messages/reminders/rules.ts";
import { readMessage } from "#lib/messages/rules.ts";

export type Texts = Record<Language, Record<ReminderForm, string>>;

const EVERY = REMINDER_FORMS.flatMap((form) =>
  LANGUAGES.map((language) => ({ form, language })),
);

/** The edited texts of one kind, the selected one, and how to save them. */
export function useMessageTexts(kind: ReminderKind, saved: Texts) {
  const scope = useScope();
  const queryClient = useQueryClient();
  const { run, isPending, failure } = useSellerAction(updateMessageAction);
  const [texts, setTexts] = useState(saved);
  const [kept, setKept] = useState(saved);
  const [form, setForm] = useState<ReminderForm>("any");
  const [isSaved, setSaved] = useState(false);
  /** Number of refused saves. */
  const [refusals, setRefusals] = useState(0);
  const changed = EVERY.filter(
    ({ form: part, language }) =>
      readMessage(texts[language][part]) !== readMessage(kept[language][part]),
  );
  const problemOf = (part: ReminderForm, language: Language) =>
    reminderProblem(part, readMessage(texts[language][part]));

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
      body: texts[language][part],
    }));
    if (edited.length > 0 && !(await run({ kind, texts: edited }))) return;
    setKept(texts);
    setSaved(true);
    void queryClient.invalidateQueries({ queryKey: remindersQuery(scope).queryKey });
  }

  return {
    form,
    setForm,
    bodyOf: (language: Language) => texts[language][form],
    problemOf: (language: Language) => problemOf(form, language),
    setBody: (language: Language, body: string) => {
      setTexts((all) => ({ ...all, [language]: { ...all[language], [form]: body } }));
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

"use server";

import * as z from "zod";
import { isMessageLanguage, languageTag, ownNameOf } from "#contract/message-text.ts";
import { LanguageTag } from "#contract/messages.ts";
import { MOST_LANGUAGES } from "#contract/names.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { fieldFailure } from "#lib/auth/field-failure.ts";
import { message } from "#lib/i18n/message.ts";
import { hasHiddenCharacters } from "#lib/text/fold-text.ts";
import { readMessage } from "../rules.ts";
import { addLanguage, readLanguages, removeLanguage, saveReminders } from "./store.ts";
import { problemIn, REMINDER_FORMS, REMINDER_KINDS } from "./rules.ts";

const Text = z
  .object({
    language: LanguageTag,
    form: z.enum(REMINDER_FORMS),
    body: z.string().max(10_000).transform(readMessage),
  })
  .superRefine(({ language, form, body }, context) => {
    const problem = problemIn(language, form, body);
    if (problem !== null)
      context.addIssue({ code: "custom", message: problem, path: ["body"] });
  });

const FORMS = REMINDER_FORMS.length * MOST_LANGUAGES;

export const updateMessageAction = sellerAction({
  name: "message.update",
  permission: "seller:write",
  input: z.object({
    kind: z.enum(REMINDER_KINDS),
    texts: z.array(Text).min(1).max(FORMS),
  }),
  run: async ({ seller }, input, note) => {
    note.detail = { message: input.kind };
    const known = await readLanguages(database(), seller.id);
    if (input.texts.some(({ language }) => known.every(({ code }) => code !== language)))
      throw new AppError({ kind: "not_found" });
    await saveReminders(database(), seller.id, input);
    return null;
  },
});

/**
 * Adds a language in which the seller writes; the name is needed only if Duebook does not know the
 * language's own name.
 */
export const addLanguageAction = sellerAction({
  name: "message.add-language",
  permission: "seller:write",
  input: z.object({
    code: z.string().max(100),
    name: z
      .string()
      .trim()
      .max(60, message("messages.languages.longName"))
      .refine((text) => !hasHiddenCharacters(text), message("messages.problem.hidden")),
  }),
  run: async ({ seller }, { code: typed, name: typedName }, note) => {
    const code = languageTag(typed);
    if (code === null) throw fieldFailure("code", message("messages.languages.noCode"));
    if (isMessageLanguage(code))
      throw fieldFailure("code", message("messages.languages.known"));
    const name = typedName || ownNameOf(code);
    if (name === null) throw fieldFailure("name", message("messages.languages.noName"));
    note.detail = { language: code };
    if (!(await addLanguage(database(), seller.id, { code, name })))
      throw fieldFailure(
        "code",
        message("messages.languages.tooMany", { most: MOST_LANGUAGES }),
      );
    return null;
  },
});

/** Removes a language and the templates in it. */
export const removeLanguageAction = sellerAction({
  name: "message.remove-language",
  permission: "seller:write",
  input: z.object({ code: LanguageTag }),
  run: async ({ seller }, { code }, note) => {
    note.detail = { language: code };
    await removeLanguage(database(), seller.id, code);
    return null;
  },
});

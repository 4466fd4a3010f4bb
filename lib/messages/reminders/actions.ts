"use server";

import * as z from "zod";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { database } from "#lib/db/pool.ts";
import { LANGUAGES } from "#lib/i18n/languages.ts";
import { readMessage } from "../rules.ts";
import { saveReminders } from "./store.ts";
import { REMINDER_FORMS, REMINDER_KINDS, reminderProblem } from "./rules.ts";

const Text = z
  .object({
    language: z.enum(LANGUAGES),
    form: z.enum(REMINDER_FORMS),
    body: z.string().max(10_000).transform(readMessage),
  })
  .superRefine(({ form, body }, context) => {
    const problem = reminderProblem(form, body);
    if (problem !== null)
      context.addIssue({ code: "custom", message: problem, path: ["body"] });
  });

const FORMS = REMINDER_FORMS.length * LANGUAGES.length;

export const updateMessageAction = sellerAction({
  name: "message.update",
  permission: "seller:write",
  input: z.object({
    kind: z.enum(REMINDER_KINDS),
    texts: z.array(Text).min(1).max(FORMS),
  }),
  run: async ({ seller }, input, note) => {
    note.detail = { message: input.kind };
    await saveReminders(database(), seller.id, input);
    return null;
  },
});

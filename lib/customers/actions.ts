"use server";

import * as z from "zod";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { database } from "#lib/db/pool.ts";
import { message } from "#lib/i18n/message.ts";
import { readCustomerKeys } from "#lib/tags/store.ts";
import { hasHiddenCharacters } from "#lib/text/fold-text.ts";
import { noteReaderOf } from "./data.ts";
import { addNote, removeNote } from "./note-store.ts";
import { MAX_CUSTOMER_NOTE_LENGTH } from "./rules.ts";

const NoteText = z
  .string()
  .max(20_000)
  .transform((given) => given.replaceAll("\r\n", "\n").trim())
  .refine(
    (text) =>
      text !== "" &&
      Array.from(text).length <= MAX_CUSTOMER_NOTE_LENGTH &&
      !hasHiddenCharacters(text.replaceAll(/[\n\t]/g, "")),
    message("tags.problems.note", { count: MAX_CUSTOMER_NOTE_LENGTH }),
  );

/** The audit log does not get the text: it may be personal, and the log is never deleted. */
export const noteCustomerAction = sellerAction({
  name: "customer.note",
  permission: "collection:write",
  input: z.object({ id: z.int().positive(), text: NoteText }),
  run: async (seller, { id, text }, note) => {
    note.detail = { customer: id };
    const { owner, user } = seller;
    const author = { ...owner, person_id: user.id, person_name: user.name };
    await addNote(database(), author, await readCustomerKeys(seller, id), text);
    return null;
  },
});

/** Members remove their own notes; admins remove anybody's. */
export const removeCustomerNoteAction = sellerAction({
  name: "customer.remove-note",
  permission: "collection:write",
  input: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
  run: async (seller, { id }) => {
    await removeNote(database(), noteReaderOf(seller), id);
    return null;
  },
});

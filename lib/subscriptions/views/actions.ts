"use server";

import * as z from "zod";
import { type AuditNote, sellerAction } from "#lib/auth/guards/seller-action.ts";
import { database } from "#lib/db/pool.ts";
import { message } from "#lib/i18n/message.ts";
import { personAction } from "#lib/auth/guards/action.ts";
import { saveColumns } from "#lib/subscriptions/data.ts";
import { isDefault, readColumns, SUBSCRIPTION_COLUMNS } from "#lib/subscriptions/columns.ts";
import { auditDetailOfSearch } from "../query-line.ts";
import {
  MAX_SEARCH_TEXT_LENGTH,
  parseSubscriptionSearch,
  wholeQueryString,
} from "../search.ts";
import { viewerOf } from "./data.ts";
import { arrangeViews, deleteView, insertView, setViewShared, updateView } from "./store.ts";
import {
  MAX_VIEW_NAME_LENGTH,
  MAX_VIEWS,
  readViewName,
  readViewWords,
  type View,
} from "./rules.ts";

const NO_NAME = message("views.invalidName", { count: MAX_VIEW_NAME_LENGTH });
const LONGEST_QUERY = 8_000;

const id = z.uuid();
const name = z
  .string()
  .max(1_000)
  .transform((given, context) => {
    const read = readViewName(given);
    if (read !== null) return read;
    context.addIssue({ code: "custom", message: NO_NAME });
    return z.NEVER;
  });
/** The query string, normalized, so that one list always has the same text. */
const query = z
  .string()
  .max(LONGEST_QUERY)
  .transform((given) =>
    wholeQueryString(parseSubscriptionSearch(new URLSearchParams(given))).replace("?", ""),
  );
const words = z.string().max(MAX_SEARCH_TEXT_LENGTH).transform(readViewWords);

export const saveViewAction = sellerAction({
  name: "view.save",
  permission: "subscriptions:read",
  input: z.object({ id: id.optional(), name, query, words, is_shared: z.boolean() }),
  run: async (seller, view, note) => {
    const saved = await insertView(database(), viewerOf(seller), view);
    noteShared(note, { ...view, id: saved });
    return { id: saved };
  },
});

export const updateViewAction = sellerAction({
  name: "view.update",
  permission: "subscriptions:read",
  input: z.object({
    id,
    name: name.optional(),
    query: query.optional(),
    words: words.optional(),
  }),
  run: async (seller, view, note) => {
    noteShared(note, await updateView(database(), viewerOf(seller), view.id, view));
    return null;
  },
});

export const shareViewAction = sellerAction({
  name: "view.share",
  permission: "views:share",
  input: z.object({ id, is_shared: z.boolean() }),
  run: async (seller, view, note) => {
    const moved = await setViewShared(database(), viewerOf(seller), view.id, view.is_shared);
    noteShared(note, { ...moved, is_shared: true });
    if (!view.is_shared) note.action = "view.unshare";
    return null;
  },
});

export const removeViewAction = sellerAction({
  name: "view.remove",
  permission: "subscriptions:read",
  input: z.object({ id }),
  run: async (seller, view, note) => {
    noteShared(note, await deleteView(database(), viewerOf(seller), view.id));
    return null;
  },
});

export const arrangeViewsAction = sellerAction({
  name: "view.arrange",
  permission: "subscriptions:read",
  input: z.object({ ids: z.array(id).min(1).max(MAX_VIEWS) }),
  run: async (seller, { ids }, note) => {
    await arrangeViews(database(), viewerOf(seller), ids);
    note.action = null;
    return null;
  },
});

/**
 * Adds a shared view to the audit log; private views are not audited. Leaves out names and search
 * text, which can contain a buyer's name.
 */
function noteShared(note: AuditNote, view: Omit<View, "name">) {
  if (!view.is_shared) {
    note.action = null;
    return;
  }
  const search = parseSubscriptionSearch(new URLSearchParams(view.query));
  note.detail = { view: view.id, ...auditDetailOfSearch(search, view.words) };
}

export const saveColumnsAction = personAction({
  input: z.object({ shown: z.array(z.enum(SUBSCRIPTION_COLUMNS)).max(50) }),
  run: async ({ user }, { shown }) => {
    const columns = readColumns(shown);
    await saveColumns(database(), user.id, isDefault(columns) ? null : columns);
    return null;
  },
});

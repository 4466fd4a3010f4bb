"use server";

import * as z from "zod";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";
import { findPhonesOf } from "#lib/search-index/query/search-records.ts";
import { MAX_CUSTOMER_TAGS, MAX_TAG_LENGTH, MAX_TAGGED, readTagName } from "./rules.ts";
import {
  addTag,
  customerKeys,
  deleteTag,
  readCustomerKeys,
  removeTag,
  renameTag,
} from "./store.ts";

const customer = z.int().positive();
const stored = z.string().regex(/^\d{1,18}$/);

const Name = z
  .string()
  .max(1_000)
  .transform((given, context) => {
    const name = readTagName(given);
    if (name !== null) return name;
    const problem = message("tags.problems.name", { count: MAX_TAG_LENGTH });
    context.addIssue({ code: "custom", message: problem });
    return z.NEVER;
  });

/** Names of tags are not in the audit log, which is never deleted: they may be personal. */
export const tagCustomerAction = sellerAction({
  name: "customer.tag",
  permission: "collection:write",
  input: z.object({ id: customer, name: Name }),
  run: async (seller, { id, name }, note) => {
    note.detail = { customer: id };
    const { full } = await addTag(
      database(),
      seller.owner,
      [await readCustomerKeys(seller, id)],
      name,
    );
    if (full === 0) return null;
    const detail = message("tags.problems.full", { count: MAX_CUSTOMER_TAGS });
    throw new AppError({ kind: "conflict", detail });
  },
});

export const untagCustomerAction = sellerAction({
  name: "customer.untag",
  permission: "collection:write",
  input: z.object({ id: customer, name: Name }),
  run: async (seller, { id, name }, note) => {
    note.detail = { customer: id };
    await removeTag(database(), seller.owner, [await readCustomerKeys(seller, id)], name);
    return null;
  },
});

/** Gives the buyers of selected subscriptions a tag, or takes it from them. */
export const tagSubscriptionsAction = sellerAction({
  name: "customer.tag-selected",
  permission: "collection:write",
  input: z.object({
    ids: z
      .array(z.string().regex(/^[\w-]{1,100}$/))
      .min(1)
      .max(MAX_TAGGED),
    name: Name,
    is_added: z.boolean(),
  }),
  run: async ({ owner, seller }, { ids, name, is_added }, note) => {
    const phones = await findPhonesOf(database(), owner, ids);
    const people = phones.map((phone) => customerKeys(phone, seller));
    note.detail = { operation: is_added ? "tag" : "untag", customers: people.length };
    if (people.length === 0)
      throw new AppError({ kind: "conflict", detail: message("tags.problems.nobody") });
    if (is_added)
      return { customers: people.length, ...(await addTag(database(), owner, people, name)) };
    await removeTag(database(), owner, people, name);
    return { customers: people.length, full: 0 };
  },
});

export const renameTagAction = sellerAction({
  name: "customer.rename-tag",
  permission: "views:share",
  input: z.object({ id: stored, name: Name }),
  run: async ({ owner }, { id, name }, note) => {
    const result = await renameTag(database(), owner, id, name);
    note.detail = { is_merged: result.is_merged };
    return result;
  },
});

export const deleteTagAction = sellerAction({
  name: "customer.delete-tag",
  permission: "views:share",
  input: z.object({ id: stored }),
  run: async ({ owner }, { id }) => {
    await deleteTag(database(), owner, id);
    return null;
  },
});

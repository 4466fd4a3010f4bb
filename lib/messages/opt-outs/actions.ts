"use server";

import * as z from "zod";
import { SetBuyerLanguage } from "#contract/messages.ts";
import { AddOptOut, FindOptOuts } from "#contract/reminders.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import {
  findMessageClient,
  isMessagesOnly,
  requireMessageClient,
} from "#lib/billing/message-account.ts";
import { database } from "#lib/db/pool.ts";
import { AppError, failureOf } from "#lib/failure.ts";
import { readLanguages } from "../reminders/store.ts";
import { saveBuyerLanguage } from "../reminders/buyer-language.ts";
import type { OptOutList } from "./rules.ts";

const Reason = AddOptOut.shape.reason;

/** An action and not a page of its own, because the search text must not be in a URL. */
export const findOptOutsAction = sellerAction({
  name: "optout.find",
  permission: "customers:read",
  input: FindOptOuts,
  run: async ({ owner }, { words }, note): Promise<OptOutList> => {
    note.action = null;
    const { results } = await (await requireMessageClient(owner)).findOptOuts(words);
    return { opt_outs: results, has_more: false };
  },
});

/** The number and address stay out of the audit log; the reason is in it. */
export const addOptOutAction = sellerAction({
  name: "optout.add",
  permission: "collection:write",
  input: AddOptOut,
  run: async ({ owner }, optOut, note) => {
    note.detail = { reason: optOut.reason };
    await (await requireMessageClient(owner)).addOptOut(optOut);
    return null;
  },
});

/** Lets reminders be sent again; succeeds also if the opt-out has already ended. */
export const removeOptOutAction = sellerAction({
  name: "optout.remove",
  permission: "collection:write",
  input: z.object({ id: z.int().positive(), reason: Reason }),
  run: async ({ owner }, { id, reason }, note) => {
    note.detail = { reason };
    await (await requireMessageClient(owner)).removeOptOut(id).catch((error: unknown) => {
      if (failureOf(error).kind !== "not_found") throw error;
    });
    return null;
  },
});

/**
 * Chooses the language of a buyer's messages; null for the language of the last message. If the
 * service writes reminders itself, it gets the choice first.
 */
export const setBuyerLanguageAction = sellerAction({
  name: "reminder.set-language",
  permission: "collection:write",
  input: SetBuyerLanguage,
  run: async ({ owner, seller, billing }, { customer_id, language }, note) => {
    if (language !== null) note.detail = { language };
    const db = database();
    const { buyer_phone } = await billing.getCustomer(customer_id);
    const known = await readLanguages(db, seller.id);
    if (language !== null && known.every(({ code }) => code !== language))
      throw new AppError({ kind: "not_found" });
    const client = await findMessageClient(owner);
    if (client && !(await isMessagesOnly(db, owner)))
      await client.setBuyerLanguage({ customer_id, language });
    await saveBuyerLanguage(db, owner, { phone: buyer_phone, language });
    return null;
  },
});

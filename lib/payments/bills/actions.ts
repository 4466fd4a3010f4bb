"use server";

import * as z from "zod";
import { isPlainText } from "#contract/field-messages.ts";
import { FISCAL_YEARS } from "#contract/names.ts";
import { RescheduleSubscription } from "#contract/subscriptions.ts";
import { fieldFailure } from "#lib/auth/field-failure.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { findOwnAccount, requireAccountClient } from "#lib/billing/account.ts";
import { MessageClient } from "#lib/billing/message-client.ts";
import { AppError, failureOf, invalidInput } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";

const text = z.string().max(1_000).trim();
const emptyIsNull = (given: string) => given || null;

/** Changes the settings of bills that are issued from now on. @returns the stored settings */
export const saveBillSettingsAction = sellerAction({
  name: "bills.save",
  permission: "connection:write",
  input: z.object({
    version: z.uuid(),
    issues_vat_bills: z.boolean(),
    pan: text.regex(/^(\d{9})?$/, message("bills.pan.invalid")).transform(emptyIsNull),
    address: text
      .max(200, message("bills.address.invalid"))
      .refine(isPlainText, message("fields.hidden"))
      .transform(emptyIsNull),
    /** Left out if unchanged, so that it keeps following the time zone. */
    fiscal_year: z.enum(FISCAL_YEARS).optional(),
    prefix: text.toUpperCase().regex(/^[A-Z0-9]{0,8}$/, message("bills.prefix.invalid")),
    sends_bills: z.boolean(),
  }),
  run: async ({ owner }, { version, ...change }, note) => {
    const { fiscal_year, ...rest } = change;
    note.detail = { ...rest, ...(fiscal_year && { fiscal_year }) };
    const opened = await findOwnAccount(owner);
    if (!opened) throw new AppError({ kind: "not_offered" });
    return opened.account.changeBillSettings({ version, ...change }).catch((error: unknown) => {
      const failure = failureOf(error);
      if (failure.kind === "conflict")
        throw new AppError({ ...failure, detail: message("sellers.account.changed") });
      // The form's check accepts only valid PANs, so the service refuses a missing one.
      if (failure.kind === "validation" && failure.fields["pan"])
        throw fieldFailure("pan", message("bills.pan.needed"));
      throw error;
    });
  },
});

/**
 * Sends a bill to its buyer by the seller's channels.
 * @returns the number or address to which it goes
 */
export const sendBillAction = sellerAction({
  name: "bills.send",
  permission: "collection:write",
  input: z.object({
    bill_id: z.uuid(),
    subscription_id: RescheduleSubscription.shape.subscription_id,
  }),
  run: async ({ owner }, { bill_id, subscription_id }, note) => {
    note.subscription_id = subscription_id;
    const messages = await requireAccountClient(owner, MessageClient);
    const { to } = await messages.sendBill(bill_id).catch((error: unknown) => {
      if (failureOf(error).kind !== "validation") throw error;
      // The service refuses an existing bill only if no channel reaches its buyer.
      throw invalidInput(message("byHand.sendBill.unreachable"));
    });
    return { to };
  },
});

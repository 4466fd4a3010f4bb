"use server";

import * as z from "zod";
import { isPlainText } from "#contract/field-messages.ts";
import { USAGE_TYPES } from "#contract/names.ts";
import { personAction } from "#lib/auth/guards/action.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { scopePath } from "#lib/scope.ts";
import { database } from "#lib/db/pool.ts";
import { canOpenAccounts, connectOwnAccount, NEW_ACCOUNT } from "#lib/billing/account.ts";
import { availableModes, encryptionKeysOf, env } from "#lib/env.ts";
import { AMOUNT_STYLES } from "#lib/format/format.ts";
import { expectedFailure, type Failure } from "#lib/failure.ts";
import { openingProblemOf } from "#lib/billing/opening-problem.ts";
import { message } from "#lib/i18n/message.ts";
import { LONGEST_LEAVE_REASON, MOST_LEAVE_REASONS } from "#lib/money/leave-reasons.ts";
import { changeAccountSettings } from "./account-settings.ts";
import { createSeller, updateSeller } from "./store.ts";
import {
  isCurrency,
  MAX_SELLER_NAME_LENGTH,
  readColor,
  readName,
  readSupportPhone,
  readTimeZone,
  readWebAddress,
  EXAMPLE_TIME_ZONE,
  type SellerDetails,
} from "./rules.ts";

const text = z.string().max(4_000);

/** A form field parsed by `read`; if that returns null, the field gets an error. */
const readBy = (read: (text: string) => string | null, refusal: string) =>
  text.transform((given, context) => read(given) ?? refuseField(context, refusal));

function refuseField(context: z.RefinementCtx, refusal: string): never {
  context.addIssue({ code: "custom", message: refusal });
  return z.NEVER;
}

const details = {
  name: readBy(readName, message("sellers.name.invalid", { count: MAX_SELLER_NAME_LENGTH })),
  time_zone: readBy(
    readTimeZone,
    message("sellers.timeZone.invalid", { zone: EXAMPLE_TIME_ZONE }),
  ),
  currency: text.refine(isCurrency, message("sellers.currency.invalid")),
  amount_style: z.enum(AMOUNT_STYLES, message("sellers.amountStyle.invalid")),
};

/**
 * Creates a seller, and opens and connects its test account where the billing service allows that.
 * @returns the path of its first page: the overview, or the page that connects a key
 */
export const createSellerAction = personAction({
  input: z.object(details),
  run: async ({ user }, seller) => {
    const { id, code } = await createSeller(database(), user.id, seller);
    const [first = "test"] = availableModes();
    const mode = canOpenAccounts("test") ? "test" : first;
    const path = (page: string) => ({ path: scopePath({ seller: code, mode }, page) });
    if (!canOpenAccounts(mode) || mode === "live") return path("/settings/connection");
    const failure = await openTestAccount(id, user.id, seller);
    return path(failure ? `/settings/connection?opening=${openingProblemOf(failure)}` : "");
  },
});

/** @returns why the account was not opened or connected; null if it was */
async function openTestAccount(
  seller_id: string,
  user_id: string,
  { name, time_zone, currency }: Pick<SellerDetails, "name" | "time_zone" | "currency">,
): Promise<Failure | null> {
  const account = { ...NEW_ACCOUNT, name, time_zone, currency, user_id };
  const owner = { seller_id, mode: "test" } as const;
  const keys = encryptionKeysOf(env());
  return connectOwnAccount(database(), owner, account, keys).then(() => null, expectedFailure);
}

const NO_ADDRESS = message("sellers.returnUrl.invalid", {
  secure: "https://",
  plain: "http://",
});

/** Like `readBy`, for a field that may be empty. */
const optional = (read: (text: string) => string | null, refusal: string) =>
  text.transform((given, context) =>
    given.trim() === "" ? null : (read(given) ?? refuseField(context, refusal)),
  );

const readEmail = (given: string): string | null =>
  z.email().max(254).safeParse(given.trim()).data ?? null;

const MAX_PAY_OTHERWISE = 500;

const readPayOtherwise = (given: string): string | null => {
  const lines = given.trim().replaceAll("\r\n", "\n");
  return lines.length <= MAX_PAY_OTHERWISE && isPlainText(lines) ? lines : null;
};

const readLimit = (given: string): string | null =>
  /^\d{1,12}(\.\d{1,2})?$/.test(given.trim()) ? given.trim() : null;

const LONGEST_GRACE = 90;
const wrongGrace = message("sellers.account.grace.invalid", { most: LONGEST_GRACE });

/** Fields that only an account at the billing service has. */
const AccountFields = z.object({
  version: z.uuid(),
  grace_days: text
    .trim()
    .regex(/^\d{1,2}$/, wrongGrace)
    .transform(Number)
    .refine((days) => days <= LONGEST_GRACE, wrongGrace),
  api_usage_type: z.enum(USAGE_TYPES, message("sellers.account.usage.invalid")),
  approve_payments_above: optional(readLimit, message("byHand.limit.invalid")),
  checkout_name: optional(
    readName,
    message("sellers.name.invalid", { count: MAX_SELLER_NAME_LENGTH }),
  ),
  checkout_color: optional(readColor, message("sellers.look.color.invalid")),
  checkout_logo: optional(readWebAddress, message("sellers.look.logoInvalid")),
  support_email: optional(readEmail, message("fields.email.invalid")),
  support_phone: optional(readSupportPhone, message("sellers.look.phoneInvalid")),
  pay_otherwise: optional(readPayOtherwise, message("sellers.look.otherwise.invalid")),
});

const wrongReasons = message("leaving.settings.invalid", {
  most: MOST_LEAVE_REASONS,
  longest: LONGEST_LEAVE_REASON,
});

const isLeaveReason = (reason: string) =>
  reason !== "" && isPlainText(reason) && Array.from(reason).length <= LONGEST_LEAVE_REASON;

const LeaveReasons = z
  .array(text)
  .max(MOST_LEAVE_REASONS, wrongReasons)
  .refine((reasons) => reasons.every(isLeaveReason), wrongReasons);

/**
 * Changes the settings, also in the seller's own accounts.
 * @returns the account's changed version, and the mode whose account refused the change
 */
export const updateSellerAction = sellerAction({
  name: "seller.update",
  permission: "seller:write",
  input: z.object({
    ...details,
    return_url: optional(readWebAddress, NO_ADDRESS),
    leave_reasons: LeaveReasons,
    needs_leave_reason: z.boolean(),
    own_account: AccountFields.nullable().default(null),
  }),
  run: async ({ seller, owner }, { own_account: account, ...given }, note) => {
    const { leave_reasons, needs_leave_reason, ...input } = given;
    note.detail = changesOf(
      { ...seller, leave_reasons: listed(seller.leave_reasons) },
      { ...input, leave_reasons: listed(leave_reasons) },
    );
    if (needs_leave_reason !== seller.needs_leave_reason)
      note.detail = { ...note.detail, needs_leave_reason };
    if (!account) {
      await updateSeller(database(), seller.id, given);
      return { version: null, missed: null, logo_missed: null };
    }
    const { amount_style: _style, ...shared } = input;
    const { version: _version, ...settings } = account;
    note.detail = { ...note.detail, ...settings };
    const changed = await changeAccountSettings(owner, { ...shared, ...account });
    await updateSeller(database(), seller.id, given);
    return changed;
  },
});

const listed = (reasons: readonly string[]) =>
  reasons.map((reason) => reason.replaceAll("_", " ")).join(", ");

/** Changed values before and after, for the audit log. */
function changesOf<Fields extends Record<string, string | null>>(
  before: NoInfer<Fields>,
  after: Fields,
): Record<string, string | null> {
  const changed = Object.keys(after).filter((field) => before[field] !== after[field]);
  return Object.fromEntries(
    changed.flatMap((field) => [
      [`${field}_before`, before[field] ?? null],
      [field, after[field] ?? null],
    ]),
  );
}

"use server";

import * as z from "zod";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { AppError } from "#lib/failure.ts";
import { database } from "#lib/db/pool.ts";
import { SettlementInput, settlementDetail } from "../goodwill/input.ts";
import { NOTHING_SAID } from "#lib/money/leave-reasons.ts";
import { storableText } from "#lib/text/fold-text.ts";
import { LeavingInput, requireLeaving } from "../leaving.ts";
import { insertBulkRun, requireOperation, selectBulkRun } from "./data.ts";
import { MAX_SHIFT_DAYS, bulkChangeProblem, type BulkChange } from "./rules.ts";
import { BULK_LIMIT } from "../rules.ts";

const moment = z.string().max(40).nullable();

const Items = z
  .array(
    z.object({
      subscription_id: z.string().regex(/^[\w-]{1,100}$/),
      buyer: z.string().max(200).transform(storableText),
      status: z.string().max(50),
      current_period_start: moment,
      current_period_end: moment,
      next_billing_cycle: moment,
    }),
  )
  .min(1)
  .max(BULK_LIMIT);

const AskedAim = z.union([
  z.object({ operation: z.enum(["cancel", "resume"]) }),
  z.object({ operation: z.literal("reschedule"), to: z.literal("day"), day: z.iso.date() }),
  z.object({
    operation: z.literal("reschedule"),
    to: z.literal("shift"),
    days: z.int().min(-MAX_SHIFT_DAYS).max(MAX_SHIFT_DAYS),
  }),
  // The server looks up the old dates.
  z.object({ operation: z.literal("reschedule"), to: z.literal("back") }),
]);

/** Stores a run as the dry run showed it; nothing is changed yet. */
export const startBulkRunAction = sellerAction({
  name: "subscription.bulk",
  permission: "subscriptions:read",
  input: z.object({
    aim: AskedAim,
    items: Items,
    undo_of: z.uuid().nullable(),
    settlement: SettlementInput.nullable().default(null),
    leaving: LeavingInput,
  }),
  run: async (signedIn, { aim: asked, items, undo_of, settlement, leaving: said }, note) => {
    requireOperation(signedIn, asked.operation);
    const isCancel = asked.operation === "cancel";
    const leaving = isCancel ? requireLeaving(signedIn.seller, said) : NOTHING_SAID;
    note.detail = {
      operation: asked.operation,
      subscriptions: items.length,
      ...(settlement && settlementDetail(settlement)),
    };
    const aim = await completeAim(signedIn, asked, undo_of);
    const { time_zone } = signedIn.seller;
    const problem = bulkChangeProblem(aim, { time_zone, now: signedIn.now });
    if (problem) throw new AppError({ kind: "conflict", detail: problem });
    return {
      id: await insertBulkRun(
        database(),
        signedIn,
        { aim, undo_of, settlement, leaving },
        items,
      ),
    };
  },
});

async function completeAim(
  { owner }: SignedIn,
  asked: z.output<typeof AskedAim>,
  undo_of: string | null,
): Promise<BulkChange> {
  const undone = undo_of === null ? null : await selectBulkRun(database(), owner, undo_of);
  if (undone && !undone.run) throw new AppError({ kind: "not_found" });
  if (asked.operation !== "reschedule" || asked.to !== "back") return asked;
  const pairs = (undone?.items ?? []).map((item) => [item.subscription_id, item.day_before]);
  return { ...asked, old: Object.fromEntries(pairs) };
}

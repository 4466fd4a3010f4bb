import "server-only";
import * as z from "zod";
import { STORED_REASONS } from "#lib/money/goodwill-reasons.ts";
import { needsWords, normalizeReasonText, OWED, type Settlement } from "./rules.ts";

const fields = {
  reason: z.enum(STORED_REASONS),
  words: z.string().max(1_000).transform(normalizeReasonText),
};

export const GoodwillInput = z.object(fields).refine((goodwill) => !needsWords(goodwill));
export const GivenSettlement = z
  .object({ ...fields, owed: z.enum(OWED) })
  .refine((goodwill) => !needsWords(goodwill));

export const settlementDetail = ({ reason, owed }: Settlement) => ({ courtesy: reason, owed });

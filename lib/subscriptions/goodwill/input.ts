import "server-only";
import * as z from "zod";
import { STORED_REASONS } from "#lib/money/goodwill-reasons.ts";
import {
  needsReasonText,
  normalizeReasonText,
  OWED_TREATMENTS,
  type Settlement,
} from "./rules.ts";

const fields = {
  reason: z.enum(STORED_REASONS),
  words: z.string().max(1_000).transform(normalizeReasonText),
};

export const GoodwillInput = z.object(fields).refine((goodwill) => !needsReasonText(goodwill));
export const SettlementInput = z
  .object({ ...fields, owed: z.enum(OWED_TREATMENTS) })
  .refine((goodwill) => !needsReasonText(goodwill));

export const settlementDetail = ({ reason, owed }: Settlement) => ({ courtesy: reason, owed });

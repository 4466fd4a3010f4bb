import * as z from "zod";
import type { Database } from "../db/database.ts";
import { findSeller, findSellerByName, type Seller } from "../sellers/store.ts";
import { Refusal } from "./command.ts";

export const SellerOption = z
  .string()
  .trim()
  .min(1)
  .meta({ description: "the seller's name or number", placeholder: "SELLER" });

/** @throws Refusal if there is no such seller */
export async function requireSeller(database: Database, nameOrNumber: string): Promise<Seller> {
  const seller =
    (await findSellerByName(database, nameOrNumber)) ??
    (/^\d{1,15}$/.test(nameOrNumber) ? await findSeller(database, Number(nameOrNumber)) : null);
  if (!seller)
    throw new Refusal(`there is no seller '${nameOrNumber}'; list-sellers names them all`);
  return seller;
}

const isTimeZone = (name: string) => {
  try {
    Temporal.PlainDate.from("2026-01-01").toZonedDateTime(name);
    return true;
  } catch {
    return false;
  }
};

export const TimeZoneOption = z
  .string()
  .refine(isTimeZone, "not a time zone; write one such as Asia/Kathmandu or +05:45")
  .meta({ description: "whose day counts as today", placeholder: "ZONE" });

export const GraceOption = z.coerce
  .number({ error: "write a whole number of days" })
  .int("write a whole number of days")
  .min(0, "0 to 90 days")
  .max(90, "0 to 90 days")
  .meta({ description: "days from due to inactive, 0 to 90", placeholder: "DAYS" });

export const UsageOption = z
  .enum(["payment", "reminder_and_payment", "none"], {
    error: "use payment, reminder_and_payment or none",
  })
  .transform((kind) => (kind === "none" ? null : kind))
  .meta({
    description:
      "payment (unless you say so), reminder_and_payment or none (then nothing can be created)",
    placeholder: "KIND",
  });

export const sellerLine = (seller: Seller) =>
  [
    `${seller.seller_id}  ${seller.name}`,
    seller.kyc_verified ? "verified" : "not verified",
    seller.api_usage_type ?? "no API usage type",
    seller.time_zone,
    `${seller.grace_days} days of grace`,
  ].join("  ·  ");

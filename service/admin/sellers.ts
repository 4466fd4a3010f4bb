import * as z from "zod";
import { TimeZone } from "#contract/account.ts";
import { transaction, type Database } from "../db/database.ts";
import {
  findSeller,
  findSellersByName,
  insertSeller,
  selectSellers,
  updateSeller,
  type Seller,
} from "../sellers/store.ts";
import { approveAccount, suspendAccount } from "../verification/decide.ts";
import { defineCommand, flag, UsageError, AdminCommandFailure } from "./command.ts";

export const SellerOption = z
  .string()
  .trim()
  .min(1)
  .meta({ description: "the seller's name or number", placeholder: "SELLER" });

/** @throws AdminCommandFailure if there is no such seller, or several */
export async function requireSeller(database: Database, nameOrNumber: string): Promise<Seller> {
  const [named, other] = await findSellersByName(database, nameOrNumber);
  if (other)
    throw new AdminCommandFailure(
      `there are several sellers '${nameOrNumber}'; use a number of list-sellers`,
    );
  const seller =
    named ??
    (/^\d{1,15}$/.test(nameOrNumber) ? await findSeller(database, Number(nameOrNumber)) : null);
  if (!seller)
    throw new AdminCommandFailure(`there is no seller '${nameOrNumber}'; see list-sellers`);
  return seller;
}

const TimeZoneOption = TimeZone.meta({
  description: "the time zone in which the seller's days begin",
  placeholder: "ZONE",
});

const GraceOption = z.coerce
  .number({ error: "write a whole number of days" })
  .int("write a whole number of days")
  .min(0, "0 to 90 days")
  .max(90, "0 to 90 days")
  .meta({ description: "days from due to inactive, 0 to 90", placeholder: "DAYS" });

const UsageOption = z
  .enum(["payment", "reminder_and_payment", "none"], {
    error: "use payment, reminder_and_payment or none",
  })
  .transform((kind) => (kind === "none" ? null : kind))
  .meta({
    description:
      "payment (the default), reminder_and_payment or none (then nothing can be created)",
    placeholder: "KIND",
  });

const sellerLine = (seller: Seller) =>
  [
    `${seller.seller_id}  ${seller.name}`,
    seller.kyc_verified ? "verified" : "not verified",
    seller.api_usage_type ?? "no API usage type",
    seller.time_zone,
    `${seller.grace_days} days of grace`,
  ].join("  ·  ");

export const createSeller = defineCommand(
  "create-seller",
  "Adds a seller account. It is not verified unless --verified is given.",
  {
    name: z
      .string()
      .trim()
      .min(1, "write a name")
      .max(200, "use at most 200 characters")
      .meta({ description: "its name, which no other seller has" }),
    verified: flag("its identity is verified already"),
    "api-usage-type": UsageOption.default("payment"),
    "time-zone": TimeZoneOption.optional(),
    "grace-days": GraceOption.optional(),
  },
  async ({ pool, now }, options) => {
    if ((await findSellersByName(pool, options.name)).length > 0)
      throw new AdminCommandFailure(`there is a seller '${options.name}' already`);
    const seller = await insertSeller(pool, {
      name: options.name,
      kyc_verified: options.verified,
      api_usage_type: options["api-usage-type"],
      time_zone: options["time-zone"] ?? "Asia/Kathmandu",
      grace_days: options["grace-days"] ?? 7,
      created_at: now(),
    });
    return { json: seller, text: sellerLine(seller) };
  },
);

export const verifySeller = defineCommand(
  "verify-seller",
  "Marks a seller's identity (KYC) as verified, so that all of the API works with its keys.",
  {
    seller: SellerOption,
    revoke: flag("withdraws it: the account is suspended and takes no payments"),
  },
  async ({ pool, now }, { seller: named, revoke }) => {
    const { seller_id } = await requireSeller(pool, named);
    const at = now();
    const seller = await transaction(pool, (database) =>
      revoke
        ? suspendAccount(database, seller_id, { at })
        : approveAccount(database, seller_id, { at }),
    );
    return { json: seller, text: sellerLine(seller) };
  },
);

export const setSeller = defineCommand(
  "set-seller",
  "Changes a seller's settings; settings that are not given stay unchanged.",
  {
    seller: SellerOption,
    "api-usage-type": UsageOption.optional(),
    "time-zone": TimeZoneOption.optional(),
    "grace-days": GraceOption.optional(),
  },
  async ({ pool }, options) => {
    const { seller_id } = await requireSeller(pool, options.seller);
    const changes = {
      api_usage_type: options["api-usage-type"],
      time_zone: options["time-zone"],
      grace_days: options["grace-days"],
    };
    if (Object.values(changes).every((value) => value === undefined))
      throw new UsageError(
        "name a setting to change: --api-usage-type, --time-zone, --grace-days",
      );
    const seller = await updateSeller(pool, seller_id, changes);
    return { json: seller, text: sellerLine(seller) };
  },
);

export const listSellers = defineCommand(
  "list-sellers",
  "Lists every seller with its settings.",
  {},
  async ({ pool }) => {
    const sellers = await selectSellers(pool);
    return {
      json: { sellers },
      text: sellers.map(sellerLine).join("\n") || "There is no seller yet.",
    };
  },
);

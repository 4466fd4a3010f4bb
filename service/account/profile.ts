import type { FastifyInstance } from "fastify";
import { AccountProfile, ChangeProfile } from "#contract/account.ts";
import type { ServiceContext } from "../context.ts";
import { queryRow, type Database } from "../db/database.ts";
import { credentialOf } from "../http/authenticate.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { writeRoute } from "../http/write.ts";
import { requireOwnImages } from "../media/upload.ts";
import type { FoundKey } from "../sellers/key-store.ts";
import { changedMeanwhileError } from "./version.ts";

/** The address of a seller's page for buyers. */
export const buyersPageOf = ({ page_key }: { page_key: string }) => `/my/${page_key}`;

export function profileRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl, now } = context;

  api.get(
    "/profile/",
    withRouteDoc({
      summary: "Get the account's profile",
      description: "The account's settings, and what the credential of this request may do.",
      answer: AccountProfile,
    }),
    (request) => readProfile(pool, credentialOf(request), publicUrl),
  );

  api.patch(
    "/profile/",
    writeRoute(context, {
      summary: "Change the account's profile",
      description:
        "Omitted fields stay unchanged. The grace period and the time zone apply at once to later billing dates.",
      answer: AccountProfile,
      refusals: {
        409: "The profile was changed in the meantime; this request changed nothing",
      },
      schema: ChangeProfile,
      work: async ({ database }, change, request) => {
        const credential = credentialOf(request);
        const { seller_id } = credential.seller;
        const { checkout_logo: kept } = await readProfile(database, credential, publicUrl);
        await changeProfile(database, seller_id, change);
        await requireOwnImages(database, "checkout_logo", [change.checkout_logo ?? []].flat(), {
          seller_id,
          publicUrl,
          at: now(),
          kept: [kept ?? []].flat(),
        });
        return readProfile(database, credential, publicUrl);
      },
    }),
  );
}

type ProfileRow = Omit<
  AccountProfile,
  "api_url" | "buyers_page" | "created_at" | "credential"
> & {
  created_at: Date;
};

async function readProfile(
  database: Database,
  { seller, kind, scopes, expires_at }: FoundKey,
  api_url: string,
): Promise<AccountProfile> {
  const row = await queryRow<ProfileRow>(
    database,
    `select name, time_zone, grace_days, api_usage_type, currency, return_url,
       approve_payments_above::text as approve_payments_above, checkout_name,
       checkout_color, checkout_logo, support_email, support_phone, pay_otherwise, version,
       created_at
     from seller where seller_id = $1`,
    [seller.seller_id],
  );
  if (!row) throw new Error("the seller of a key is missing");
  return {
    ...row,
    api_url,
    buyers_page: `${api_url}${buyersPageOf(seller)}`,
    created_at: row.created_at.toISOString(),
    credential: { kind, scopes, expires_at: expires_at?.toISOString() ?? null },
  };
}

/** @throws 409 if it was changed since that version */
async function changeProfile(
  database: Database,
  sellerId: number,
  { version, ...change }: ChangeProfile,
) {
  // Omitted fields are filled from the row itself; null is a value (no return address).
  const { rowCount } = await database.query(
    `update seller s set name = c.name, time_zone = c.time_zone, grace_days = c.grace_days,
       api_usage_type = c.api_usage_type, currency = c.currency, return_url = c.return_url,
       approve_payments_above = c.approve_payments_above,
       checkout_name = c.checkout_name, checkout_color = c.checkout_color,
       checkout_logo = c.checkout_logo, support_email = c.support_email,
       support_phone = c.support_phone, pay_otherwise = c.pay_otherwise,
       version = gen_random_uuid()
     from seller known, jsonb_populate_record(known, $2) c
     where s.seller_id = $1 and known.seller_id = $1 and s.version = $3`,
    [sellerId, change, version],
  );
  if (rowCount === 0) throw changedMeanwhileError("The profile");
}

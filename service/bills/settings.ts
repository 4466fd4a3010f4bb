import type { BillSettings, ChangeBillSettings } from "#contract/payments.ts";
import { changedMeanwhileError } from "../account/version.ts";
import { queryRow, type Database } from "../db/database.ts";
import { ApiError } from "../http/errors.ts";

export async function readBillSettings(
  database: Database,
  sellerId: number,
): Promise<BillSettings> {
  const row = await queryRow<BillSettings>(
    database,
    `select s.issues_vat_bills, s.bill_pan as pan, s.bill_address as address,
       nullif(v.pan, '') as verified_pan, nullif(v.address, '') as verified_address,
       bill_year_of(s) as fiscal_year, s.bill_prefix as prefix, s.sends_bills, s.version
     from seller s left join verification v using (seller_id) where s.seller_id = $1`,
    [sellerId],
  );
  if (!row) throw new Error("the seller of a key is missing");
  return row;
}

/**
 * A change counts for bills that are issued from now on.
 * @throws 409 if the settings were changed since that version, 400 for VAT bills without a PAN
 */
export async function changeBillSettings(
  database: Database,
  sellerId: number,
  { version, ...change }: ChangeBillSettings,
): Promise<BillSettings> {
  const known = await readBillSettings(database, sellerId);
  const next = { ...known, ...change };
  if (next.issues_vat_bills && next.pan === null && next.verified_pan === null)
    throw new ApiError(400, { pan: ["A VAT bill states the PAN of the business. Enter it."] });
  const { rowCount } = await database.query(
    `update seller set issues_vat_bills = $3, bill_pan = $4, bill_address = $5, bill_year = coalesce($6, bill_year),
       bill_prefix = $7, sends_bills = $8, version = gen_random_uuid()
     where seller_id = $1 and version = $2`,
    [
      sellerId,
      version,
      next.issues_vat_bills,
      next.pan,
      next.address,
      change.fiscal_year ?? null,
      next.prefix,
      next.sends_bills,
    ],
  );
  if (rowCount === 0) throw changedMeanwhileError("The settings of bills");
  return readBillSettings(database, sellerId);
}

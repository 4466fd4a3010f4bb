import { expect, it } from "vitest";
import { useTestService } from "../../testing/use-service.ts";
import { SAVED_SELLER_COLUMNS, savedTables } from "../account/tables.ts";

const service = useTestService();

it("every database table is either part of a saved sandbox state or listed here as not saved", async () => {
  const saved = (await savedTables(service.pool)).map(({ name }) => name);
  const { rows } = await service.pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and not relispartition
       and relnamespace = 'public'::regnamespace order by 1`,
  );
  expect(rows.map(({ name }) => name).filter((name) => !saved.includes(name))).toEqual([
    "api_key",
    // Made again with the ledger.
    "bill",
    "bill_file",
    "bill_to_send",
    // Sessions at the page for buyers.
    "buyer_sign_in",
    // Results of comparing with providers.
    "comparison",
    "delivery_endpoint",
    // Written by triggers.
    "directory",
    "handed_reminder",
    // Images that a saved state names stay.
    "image",
    // Booked again from what was paid and given back.
    "journal_entry",
    "journal_line",
    // Summed again from the ledger.
    "ledger_closing",
    // A restored state must not send its messages again.
    "message",
    "message_channel",
    "message_hour",
    "message_report",
    // The credentials of an account at a provider stay as they are.
    "payment_account",
    "payment_notice",
    // Photos that a saved state names stay.
    "payment_photo",
    // Derived rows, which are recalculated from the restored ones.
    "product_tally",
    // Readers are told to read everything again.
    "record_change",
    "reminder",
    // An opt-out is the buyer's wish, whatever the account restores.
    "reminder_recipient",
    "reminder_schedule",
    "reminder_step",
    "sandbox_state",
    "sandbox_state_part",
    "schema_migration",
    "seller",
    // Phone numbers that nobody has confirmed are not kept.
    "shared_link_order",
    "subscription_tally",
  ]);
  // Every saved table has a key by which its rows are restored.
  for (const { name, key } of await savedTables(service.pool))
    expect([name, key]).not.toEqual([name, []]);
});

it("every column of the seller table is either restored from a saved state or listed here as not restored", async () => {
  const { rows } = await service.pool.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = 'seller'::regclass and attnum > 0 and not attisdropped order by 1`,
  );
  const others = rows
    .map(({ name }) => name)
    .filter((name) => !(SAVED_SELLER_COLUMNS as readonly string[]).includes(name));
  expect(others).toEqual([
    "api_usage_type",
    "approve_payments_above",
    "bill_address",
    "bill_pan",
    "bill_prefix",
    "bill_year",
    "checkout_color",
    "checkout_logo",
    "checkout_name",
    "created_at",
    "currency",
    "grace_days",
    "history_from",
    "issues_vat_bills",
    "kyc_verified",
    "lost_channels",
    "lost_until",
    "name",
    "page_key",
    "pay_otherwise",
    "reference",
    "retime_after",
    "return_url",
    "sandbox_replacements",
    "seller_id",
    "sends_bills",
    "support_email",
    "support_phone",
    "suspended_at",
    "time_zone",
    "version",
  ]);
});

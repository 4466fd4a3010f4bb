import "server-only";
import { getLocale, getTranslations } from "next-intl/server";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import { auditExport } from "#lib/auth/guards/write-audit.ts";
import { database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { csvResponse, tableFile } from "#lib/files/table-file.ts";
import { makeFormat } from "#lib/format/format.ts";
import type { Scope } from "#lib/scope.ts";
import { selectBulkRun } from "./data.ts";
import type { BulkItem } from "./queries.ts";
import { describeItemReason } from "./rules.ts";

const COLUMNS: [heading: string, cell: (item: BulkItem) => string | null][] = [
  ["subscription_id", (item) => item.subscription_id],
  ["buyer", (item) => item.buyer],
  ["outcome", (item) => item.state],
  ["status_before", (item) => item.status_before],
  ["status_after", (item) => item.status_after],
  ["date_before", (item) => item.day_before],
  ["date_asked_for", (item) => item.target_day],
  ["date_after", (item) => item.day_after],
];

/**
 * The outcome as CSV with a line for each subscription; the export is audited before it is sent.
 * @throws AppError `not_found`
 */
export async function bulkRunFile(scope: Scope, id: string): Promise<Response> {
  const signedIn = await requireSeller(scope, "subscriptions:export");
  const { run, items } = await selectBulkRun(database(), signedIn.owner, id);
  if (run === null) throw new AppError({ kind: "not_found" });
  const why = await reasons(signedIn);
  await auditExport(signedIn, {
    action: "subscription.bulk-file",
    detail: { rows: items.length, operation: run.operation, bulk_run: run.id },
  });
  const columns = [...COLUMNS, ["message", why] as const];
  const body = tableFile({
    columns: columns.map(([heading, read]) => ({ heading, read })),
    rows: [items],
    format: "csv",
  });
  return csvResponse("duebook-bulk-change.csv", body);
}

async function reasons({
  seller,
  now,
}: Pick<SignedIn, "seller" | "now">): Promise<(item: BulkItem) => string> {
  const [t, inFormat, language] = await Promise.all([
    getTranslations(),
    getTranslations("format"),
    getLocale(),
  ]);
  const format = makeFormat(inFormat, { ...seller, now, language });
  return ({ message, target_day: target }) =>
    describeItemReason(t, format, { message, target });
}

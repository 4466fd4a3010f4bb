import "server-only";
import { getTranslations } from "next-intl/server";
import { writeAudit } from "#lib/auth/guards/write-audit.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { isStillAllowed } from "#lib/auth/sessions/session.ts";
import { serviceDay } from "#lib/billing/service-clock.ts";
import { CSV_TYPE } from "#lib/files/csv.ts";
import { database } from "#lib/db/pool.ts";
import { readFromReplica } from "#lib/db/replica.ts";
import { fileResponse } from "#lib/files/file-response.ts";
import { calendarDay } from "#lib/format/format.ts";
import { readAmounts } from "#lib/search-index/query/listed-amounts.ts";
import { XLSX_TYPE } from "#lib/files/xlsx.ts";
import { toldInRecord } from "../query-line.ts";
import type { SubscriptionSearch } from "../search.ts";
import { countExport, openExport } from "./export-file.ts";
import type { ExportPreview, ExportSearch } from "./queries.ts";
import { columnsForFile } from "./columns.ts";

/** How many rows a file of this list would have, and how old the index is that they come from. */
export async function previewExport(
  scope: Scope,
  search: SubscriptionSearch,
  words: string,
): Promise<ExportPreview> {
  const { owner, seller } = await requireSeller(scope, "subscriptions:export");
  const question = { search, words, time_zone: seller.time_zone };
  return readFromReplica((pool) => countExport(pool, owner, question));
}

/**
 * Everything that the list shows on all its pages, as a file. It stands in the record before its first
 * row leaves. @throws AppError `conflict` while the index cannot be asked, or another file is made
 */
export async function exportSubscriptions(
  scope: Scope,
  { search, format, columns }: ExportSearch,
  words: string,
): Promise<Response> {
  const signedIn = await requireSeller(scope, "subscriptions:export");
  const { owner, seller, user, session, now } = signedIn;
  const wording = {
    t: await getTranslations("export"),
    tList: await getTranslations("subscriptions"),
  };
  const question = { search, words, time_zone: seller.time_zone };
  const asked = columnsForFile(columns);
  const amounts = asked.some((column) => column.startsWith("to_pay"))
    ? await readAmounts(database(), signedIn, await serviceDay(signedIn))
    : {};
  const mayGoOn = () =>
    isStillAllowed(database(), session, owner.seller_id, "subscriptions:export");
  const file = { format, columns: asked, amounts, wording, user_id: user.id, mayGoOn };
  const { rows, body } = await readFromReplica((pool) =>
    openExport(pool, owner, question, file),
  );
  const inFile = columns ? file.columns.join(", ") : "all";
  try {
    await writeAudit(database(), {
      ...owner,
      user_id: user.id,
      action: "subscription.export",
      result: "done",
      detail: { rows, format, columns: inFile, ...toldInRecord(search, words) },
    });
  } catch (error) {
    await body.cancel();
    throw error;
  }
  const day = calendarDay(now, seller.time_zone);
  const name = `duebook-subscriptions-${owner.mode}-${day}.${format}`;
  return fileResponse(name, format === "csv" ? CSV_TYPE : XLSX_TYPE, body);
}

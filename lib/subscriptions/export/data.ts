import "server-only";
import { getTranslations } from "next-intl/server";
import type pg from "pg";
import { auditExport } from "#lib/auth/guards/write-audit.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { isSessionStillAllowed } from "#lib/auth/sessions/session.ts";
import { serviceDay } from "#lib/billing/service-clock.ts";
import { type TableColumn, tableFile, tableResponse } from "#lib/files/table-file.ts";
import { database } from "#lib/db/pool.ts";
import { readFromReplica } from "#lib/db/replica.ts";
import { dayInZone } from "#lib/format/format.ts";
import { readAmounts } from "#lib/search-index/query/owed.ts";
import { withTags } from "#lib/tags/store.ts";
import { isSubscriptionStatus, type Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { AppError } from "#lib/failure.ts";
import { type FileRequester, openFile, type OpenFile } from "#lib/files/file-turns.ts";
import type { Translate } from "#lib/i18n/message.ts";
import { openRowStream } from "#lib/search-index/query/row-stream.ts";
import { type Amounts, amountToPay } from "#lib/money/price.ts";
import { runInCountQueue } from "#lib/fair-queue.ts";
import {
  indexedSubscriptionQuery,
  type SubscriptionListParameters,
} from "#lib/search-index/query/subscription-query.ts";
import { auditDetailOfSearch } from "../query-line.ts";
import type { SubscriptionSearch } from "../search.ts";
import type { ExportFormat, ExportPreview } from "#lib/list-answer.ts";
import type { ExportSearch } from "./queries.ts";
import {
  COLUMN_RULES,
  columnsForFile,
  type ExportColumn,
  type ExportedSubscription,
} from "./columns.ts";

/** The number of rows of the file, and the age of the index. */
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
 * All pages of the list as a file; the export is audited before the first row is sent.
 * @throws AppError `conflict` while the index is incomplete or another file is written
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
    isSessionStillAllowed(database(), session, owner.seller_id, "subscriptions:export");
  const file = { format, columns: asked, amounts, wording, user_id: user.id, mayGoOn };
  const { rows, body } = await readFromReplica((pool) =>
    openExport(pool, owner, question, file),
  );
  const inFile = columns ? file.columns.join(", ") : "all";
  try {
    await auditExport(signedIn, {
      action: "subscription.export",
      detail: { rows, format, columns: inFile, ...auditDetailOfSearch(search, words) },
    });
  } catch (error) {
    await body.cancel();
    throw error;
  }
  const day = dayInZone(now, seller.time_zone);
  const name = `duebook-subscriptions-${owner.mode}-${day}`;
  return tableResponse(name, format, body);
}

const COUNT_TIMEOUT_MS = 10_000;

type Pool = Pick<pg.Pool, "query" | "connect">;

export const countExport = (
  pool: Pool,
  owner: KeyOwner,
  question: SubscriptionListParameters,
): Promise<ExportPreview> =>
  runInCountQueue(owner.seller_id, async () => {
    const query = await indexedSubscriptionQuery(pool, owner, question);
    const every = await openRowStream(pool, owner, query, COUNT_TIMEOUT_MS);
    if (every.state !== "ready") return every;
    await every.close();
    const { state, as_of, age_s, count } = every;
    return { state, as_of, age_s, count };
  });

export interface ExportFile extends Omit<FileRequester, "seller_id" | "busy"> {
  format: ExportFormat;
  columns: readonly ExportColumn[];
  amounts: Amounts;
  wording: { t: Translate<"export">; tList: Translate<"subscriptions"> };
}

/** @throws AppError `conflict` while the index is incomplete or another file is written */
export function openExport(
  pool: Pool,
  owner: KeyOwner,
  question: SubscriptionListParameters,
  file: ExportFile,
): Promise<OpenFile & { rows: number }> {
  const { t } = file.wording;
  const asker = { ...file, seller_id: owner.seller_id, busy: t("busy") };
  return openFile(asker, async (allowed) => {
    const query = await indexedSubscriptionQuery(pool, owner, question);
    const every = await openRowStream<Subscription>(pool, owner, query);
    if (every.state !== "ready") throw new AppError({ kind: "conflict", detail: t("absent") });
    const source = tableFile({
      columns: file.columns.map((column) => columnOf(column, file, question.time_zone)),
      rows: allowed(
        file.columns.includes("tags")
          ? withTags(pool, owner, every.batches, ({ client }) => client.phone)
          : every.batches,
      ),
      format: file.format,
      name: t("sheet"),
      time_zone: question.time_zone,
    });
    return { rows: every.count, source, close: every.close };
  });
}

/** A value that does not fit its column's kind is written unchanged. */
function columnOf(
  column: ExportColumn,
  { amounts, wording: { t, tList } }: ExportFile,
  time_zone: string,
): TableColumn<ExportedSubscription> {
  const rule = COLUMN_RULES[column];
  const { kind } = rule;
  const heading = t(`headings.${column}`);
  const read = (record: ExportedSubscription) => {
    const value = rule.read(record, () => amountToPay(amounts, record.product)) ?? null;
    if (value === null) return kind === "decimal" ? "" : null;
    if (kind === "status" && isSubscriptionStatus(value)) return tList(`status.${value}`);
    if (kind === "known_by")
      return t(value === "checkout" ? "knownBy.checkout" : "knownBy.list_price");
    return value;
  };
  if (kind === "moment") {
    const sheetHeading = t("inZone", { heading, zone: time_zone });
    return { heading, sheetHeading, kind: "moment", read };
  }
  return { heading, kind: kind === "decimal" ? "number" : "text", read };
}

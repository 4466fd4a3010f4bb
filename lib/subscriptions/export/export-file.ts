import "server-only";
import type pg from "pg";
import { isSubscriptionStatus, type Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { AppError } from "#lib/failure.ts";
import { tableFile, type TableColumn } from "#lib/files/table-file.ts";
import { openFile, type FileAsker, type OpenFile } from "#lib/files/file-turns.ts";
import type { Translate } from "#lib/i18n/translate.ts";
import { openRowStream } from "#lib/search-index/query/row-stream.ts";
import { toPayOf, type Amounts } from "#lib/money/price.ts";
import { inCountingQueue } from "#lib/fair-queue.ts";
import {
  indexedSubscriptionQuery,
  type SubscriptionQuestion,
} from "../../search-index/query/subscription-query.ts";
import type { ExportFormat, ExportPreview } from "./queries.ts";
import { COLUMN_RULES, type ExportColumn } from "./columns.ts";

type Pool = Pick<pg.Pool, "query" | "connect">;

export const countExport = (
  pool: Pool,
  owner: KeyOwner,
  question: SubscriptionQuestion,
): Promise<ExportPreview> =>
  inCountingQueue(owner.seller_id, async () => {
    const query = await indexedSubscriptionQuery(pool, owner, question);
    const every = await openRowStream(pool, owner, query, LONGEST_COUNT);
    if (every.state !== "ready") return every;
    await every.close();
    const { state, as_of, age_s, count } = every;
    return { state, as_of, age_s, count };
  });

export interface ExportFile extends Omit<FileAsker, "seller_id" | "busy"> {
  format: ExportFormat;
  columns: readonly ExportColumn[];
  /** What the checkout asks for today. */
  amounts: Amounts;
  wording: { t: Translate<"export">; tList: Translate<"subscriptions"> };
}

/** Milliseconds: as a page waits, since one shows it. */
const LONGEST_COUNT = 10_000;

/** @throws AppError `conflict` while the index cannot be asked, or another file is made */
export function openExport(
  pool: Pool,
  owner: KeyOwner,
  question: SubscriptionQuestion,
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
      rows: allowed(every.batches),
      format: file.format,
      name: t("sheet"),
      time_zone: question.time_zone,
    });
    return { rows: every.count, source, close: every.close };
  });
}

/** A value that cannot be read as its column's kind is written as it came. */
function columnOf(
  column: ExportColumn,
  { amounts, wording: { t, tList } }: ExportFile,
  time_zone: string,
): TableColumn<Subscription> {
  const rule = COLUMN_RULES[column];
  const { kind } = rule;
  const heading = t(`headings.${column}`);
  const read = (record: Subscription) => {
    const value = rule.read(record, () => toPayOf(amounts, record.product)) ?? null;
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

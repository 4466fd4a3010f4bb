import "server-only";
import type pg from "pg";
import { isSubscriptionStatus, type Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { AppError } from "#lib/failure.ts";
import { BYTE_ORDER_MARK, csvLine, csvStream } from "#lib/files/csv.ts";
import { openFile, type FileAsker, type OpenFile } from "#lib/files/file-turns.ts";
import type { Translate } from "#lib/i18n/translate.ts";
import { openRowStream } from "#lib/search-index/query/row-stream.ts";
import { toPayOf, type Amounts } from "#lib/money/price.ts";
import { inCountingQueue } from "#lib/fair-queue.ts";
import { sheetNumber, xlsxStream, type SheetCell } from "#lib/files/xlsx.ts";
import { zoneClock, type LocalMoment } from "#lib/format/zoned-moment.ts";
import {
  subscriptionQuery,
  type SubscriptionQuestion,
} from "../../search-index/query/subscription-query.ts";
import type { ExportPreview } from "./queries.ts";
import { COLUMN_RULES, type ExportColumn } from "./columns.ts";
import type { ExportFormat } from "./search.ts";

type Pool = Pick<pg.Pool, "query" | "connect">;

export const countExport = (
  pool: Pool,
  owner: KeyOwner,
  question: SubscriptionQuestion,
): Promise<ExportPreview> =>
  inCountingQueue(owner.seller_id, async () => {
    const query = await subscriptionQuery(pool, owner, question);
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

/** @throws AppError `conflict` while the copy cannot be asked, or another file is made */
export function openExport(
  pool: Pool,
  owner: KeyOwner,
  question: SubscriptionQuestion,
  file: ExportFile,
): Promise<OpenFile & { rows: number }> {
  const { t } = file.wording;
  const asker = { ...file, seller_id: owner.seller_id, busy: t("busy") };
  return openFile(asker, async (allowed) => {
    const query = await subscriptionQuery(pool, owner, question);
    const every = await openRowStream<Subscription>(pool, owner, query);
    if (every.state !== "ready") throw new AppError({ kind: "conflict", detail: t("absent") });
    const batches = allowed(every.batches);
    const source =
      file.format === "csv"
        ? csvStream(csvLines(batches, question.time_zone, file))
        : sheetOf(batches, question.time_zone, file);
    return { rows: every.count, source, close: every.close };
  });
}

type Batches = AsyncGenerator<Subscription[]>;

/** Moments as ISO 8601 with the offset of the seller's zone. */
async function* csvLines(batches: Batches, time_zone: string, file: ExportFile) {
  const { columns, wording } = file;
  const clock = zoneClock(time_zone);
  const cells = columns.map((column) =>
    cellOf(column, file, clock, ({ local, offset }) => local + offset),
  );
  yield BYTE_ORDER_MARK + csvLine(columns.map((column) => wording.t(`headings.${column}`)));
  for await (const batch of batches)
    yield batch.map((record) => csvLine(cells.map((cell) => cell(record)))).join("");
}

/** Moments as what clocks in the seller's zone show, which the heading names: a sheet knows no zones. */
function sheetOf(batches: Batches, time_zone: string, file: ExportFile) {
  const { columns, wording } = file;
  const { t } = wording;
  const clock = zoneClock(time_zone);
  const cells = columns.map((column) => {
    const cell = cellOf<SheetCell>(column, file, clock, ({ local }) => new Date(`${local}Z`));
    return COLUMN_RULES[column].kind === "decimal"
      ? (record: Subscription) => sheetNumber(String(cell(record) ?? ""))
      : cell;
  });
  async function* rows() {
    for await (const batch of batches)
      for (const record of batch) yield cells.map((cell) => cell(record));
  }
  return xlsxStream({
    name: t("sheet"),
    headings: columns.map((column) => {
      const heading = t(`headings.${column}`);
      const isMoment = COLUMN_RULES[column].kind === "moment";
      return { text: isMoment ? t("inZone", { heading, zone: time_zone }) : heading, isMoment };
    }),
    rows: rows(),
  });
}

/** What cannot be read as what it should be stands as it came. */
function cellOf<Cell>(
  column: ExportColumn,
  { amounts, wording: { t, tList } }: ExportFile,
  clock: (iso: string) => LocalMoment | null,
  write: (moment: LocalMoment) => Cell,
): (record: Subscription) => Cell | string | null {
  const { kind, read } = COLUMN_RULES[column];
  return (record) => {
    const value = read(record, () => toPayOf(amounts, record.product)) ?? null;
    if (value === null) return null;
    if (kind === "status" && isSubscriptionStatus(value)) return tList(`status.${value}`);
    if (kind === "known_by")
      return t(value === "checkout" ? "knownBy.checkout" : "knownBy.list_price");
    const moment = kind === "moment" ? clock(value) : null;
    return moment ? write(moment) : value;
  };
}

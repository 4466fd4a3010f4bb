import "server-only";
import type pg from "pg";
import { getTranslations } from "next-intl/server";
import { isSubscriptionStatus, type Subscription } from "#contract/subscriptions.ts";
import { writeAudit } from "#lib/auth/audit.ts";
import { requireSeller } from "#lib/auth/require-seller.ts";
import type { Scope } from "#lib/auth/scope.ts";
import type { KeyOwner } from "#lib/billing/api-key.ts";
import { BillingError } from "#lib/billing/errors.ts";
import { BYTE_ORDER_MARK, CSV_TYPE, csvLine, csvStream } from "#lib/csv.ts";
import { database } from "#lib/db/pool.ts";
import { closedAfter, fileResponse } from "#lib/file-response.ts";
import { calendarDay } from "#lib/format.ts";
import type { Translate } from "#lib/i18n/translate.ts";
import { openEveryRow } from "#lib/mirror/every-row.ts";
import { sheetNumber, XLSX_TYPE, xlsxStream, type SheetCell } from "#lib/xlsx.ts";
import { zoneClock, type LocalMoment } from "#lib/zoned-moment.ts";
import { subscriptionQuery, type SubscriptionQuestion } from "../copy/data.ts";
import { printLine } from "../rules.ts";
import { filtersOf, type FindSearch } from "../search.ts";
import type { ExportPreview } from "./queries.ts";
import { COLUMN_RULES, columnsForFile, type ExportColumn } from "./rules.ts";
import type { ExportFormat, ExportSearch } from "./search.ts";

type Pool = Pick<pg.Pool, "query" | "connect">;

/** How many rows a file of this list would have, and how old the copy is that they come from. */
export async function previewExport(
  scope: Scope,
  search: FindSearch,
  words: string,
): Promise<ExportPreview> {
  const { owner, seller } = await requireSeller(scope, "subscriptions:export");
  return countExport(database(), owner, { search, words, time_zone: seller.time_zone });
}

export async function countExport(
  pool: Pool,
  owner: KeyOwner,
  question: SubscriptionQuestion,
): Promise<ExportPreview> {
  const every = await openEveryRow(pool, owner, await subscriptionQuery(pool, owner, question));
  if (every.state !== "ready") return every;
  await every.close();
  const { state, as_of, age_s, count } = every;
  return { state, as_of, age_s, count };
}

/**
 * Everything that the list shows on all its pages, as a file. It stands in the record before its first
 * row leaves. @throws BillingError `conflict` while the copy cannot be asked, or another one is made
 */
export async function exportSubscriptions(
  scope: Scope,
  { search, format, columns }: ExportSearch,
  words: string,
): Promise<Response> {
  const { owner, seller, user, now } = await requireSeller(scope, "subscriptions:export");
  const wording = {
    t: await getTranslations("export"),
    tList: await getTranslations("subscriptions"),
  };
  const question = { search, words, time_zone: seller.time_zone };
  const file = { format, columns: columnsForFile(columns), wording };
  const { rows, body, close } = await openExport(database(), owner, question, file);
  try {
    await writeAudit(database(), {
      ...owner,
      user_id: user.id,
      action: "subscription.export",
      result: "done",
      detail: { rows, format, columns: columns?.join(", ") ?? "all", ...told(search, words) },
    });
  } catch (error) {
    await close();
    throw error;
  }
  const day = calendarDay(now, seller.time_zone);
  const name = `duebook-subscriptions-${owner.mode}-${day}.${format}`;
  return fileResponse(name, format === "csv" ? CSV_TYPE : XLSX_TYPE, body);
}

/** What was searched for can be anybody's name: only that there was something. */
function told(search: FindSearch, words: string): Record<string, string> {
  const query = printLine({ words: "", filters: filtersOf(search) });
  return {
    ...(query && { query }),
    ...(search.sort && { sort: search.sort }),
    ...(words.trim() && { words: "yes" }),
  };
}

export interface ExportFile {
  format: ExportFormat;
  columns: readonly ExportColumn[];
  wording: { t: Translate<"export">; tList: Translate<"subscriptions"> };
  /** Milliseconds after which nobody is taken to want the rest. */
  longestPause?: number;
}

const LONGEST_PAUSE = 60_000;
/** Each holds a connection for as long as its browser takes, and pages need some too. */
const MOST_AT_ONCE = 3;
const underWay = new Set<string>();

/** One file at a time for a seller and mode. @returns what ends the turn; null while there is none */
function takeTurn({ seller_id, mode }: KeyOwner): (() => void) | null {
  const whose = `${seller_id}/${mode}`;
  if (underWay.has(whose) || underWay.size >= MOST_AT_ONCE) return null;
  underWay.add(whose);
  return () => void underWay.delete(whose);
}

export async function openExport(
  pool: Pool,
  owner: KeyOwner,
  question: SubscriptionQuestion,
  file: ExportFile,
): Promise<{ rows: number; body: ReadableStream<Uint8Array>; close: () => Promise<void> }> {
  const endTurn = takeTurn(owner);
  const { t } = file.wording;
  if (!endTurn) throw new BillingError({ kind: "conflict", detail: t("busy") });
  try {
    const query = await subscriptionQuery(pool, owner, question);
    const every = await openEveryRow<Subscription>(pool, owner, query);
    if (every.state !== "ready")
      throw new BillingError({ kind: "conflict", detail: t("absent") });
    const close = () => every.close().finally(endTurn);
    const source =
      file.format === "csv"
        ? csvStream(csvLines(every.batches, question.time_zone, file))
        : sheetOf(every.batches, question.time_zone, file);
    const body = closedAfter(source, close, file.longestPause ?? LONGEST_PAUSE);
    return { rows: every.count, body, close };
  } catch (error) {
    endTurn();
    throw error;
  }
}

type Batches = AsyncGenerator<Subscription[]>;

/** Moments as ISO 8601 with the offset of the seller's zone. */
async function* csvLines(
  batches: Batches,
  time_zone: string,
  { columns, wording }: ExportFile,
) {
  const clock = zoneClock(time_zone);
  const cells = columns.map((column) =>
    cellOf(column, wording, clock, ({ local, offset }) => local + offset),
  );
  yield BYTE_ORDER_MARK + csvLine(columns.map((column) => wording.t(`headings.${column}`)));
  for await (const batch of batches)
    yield batch.map((record) => csvLine(cells.map((cell) => cell(record)))).join("");
}

/** Moments as what clocks in the seller's zone show, which the heading names: a sheet knows no zones. */
function sheetOf(batches: Batches, time_zone: string, { columns, wording }: ExportFile) {
  const { t } = wording;
  const clock = zoneClock(time_zone);
  const cells = columns.map((column) => {
    const cell = cellOf<SheetCell>(
      column,
      wording,
      clock,
      ({ local }) => new Date(`${local}Z`),
    );
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
  { tList }: ExportFile["wording"],
  clock: (iso: string) => LocalMoment | null,
  write: (moment: LocalMoment) => Cell,
): (record: Subscription) => Cell | string | null {
  const { kind, read } = COLUMN_RULES[column];
  return (record) => {
    const value = read(record) ?? null;
    if (value === null) return null;
    if (kind === "status" && isSubscriptionStatus(value)) return tList(`status.${value}`);
    const moment = kind === "moment" ? clock(value) : null;
    return moment ? write(moment) : value;
  };
}

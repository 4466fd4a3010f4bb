import "server-only";
import { getTranslations } from "next-intl/server";
import type pg from "pg";
import type { Customer } from "#contract/customers.ts";
import { phoneKey } from "#contract/phone-number.ts";
import { auditExport } from "#lib/auth/guards/write-audit.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { isSessionStillAllowed } from "#lib/auth/sessions/session.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { readFromReplica } from "#lib/db/replica.ts";
import { AppError } from "#lib/failure.ts";
import { runInCountQueue } from "#lib/fair-queue.ts";
import { type FileRequester, openFile, type OpenFile } from "#lib/files/file-turns.ts";
import { type TableColumn, tableFile, tableResponse } from "#lib/files/table-file.ts";
import { dayInZone } from "#lib/format/format.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { Scope } from "#lib/scope.ts";
import { openRowStream } from "#lib/search-index/query/row-stream.ts";
import { indexedCustomerQuery } from "#lib/search-index/query/search-records.ts";
import type { ExportFormat, ExportPreview } from "#lib/list-answer.ts";
import { searchOfCustomerLine, type CustomerSearch } from "./search.ts";
import { withTags } from "#lib/tags/store.ts";

type Pool = Pick<pg.Pool, "query" | "connect">;

/** The number of rows of the file, and the age of the index. */
export async function previewCustomerExport(
  scope: Scope,
  search: CustomerSearch,
  line: string,
): Promise<ExportPreview> {
  const { owner } = await requireSeller(scope, "subscriptions:export");
  return readFromReplica((pool) =>
    runInCountQueue(owner.seller_id, async () => {
      const asked = searchOfCustomerLine(search, line);
      const query = await indexedCustomerQuery(pool, owner, asked.words, asked.search);
      const every = await openRowStream(pool, owner, query);
      if (every.state !== "ready") return every;
      await every.close();
      const { state, as_of, age_s, count } = every;
      return { state, as_of, age_s, count };
    }),
  );
}

/**
 * All pages of the list as a file; the export is audited before the first row is sent.
 * @throws AppError `conflict` while the index is incomplete or another file is written
 */
export async function exportCustomers(
  scope: Scope,
  { search, format }: { search: CustomerSearch; format: ExportFormat },
  line: string,
): Promise<Response> {
  const signedIn = await requireSeller(scope, "subscriptions:export");
  const { owner, seller, user, session, now } = signedIn;
  const asked = searchOfCustomerLine(search, line);
  const t = await getTranslations("export");
  const mayGoOn = () =>
    isSessionStillAllowed(database(), session, owner.seller_id, "subscriptions:export");
  const file = { format, time_zone: seller.time_zone, t, user_id: user.id, mayGoOn };
  const { rows, body } = await readFromReplica((pool) =>
    openCustomerExport(pool, owner, asked, file),
  );
  try {
    const isFiltered = asked.words !== "" || asked.search.tag !== null;
    await auditExport(signedIn, {
      action: "customer.export",
      detail: { rows, format, ...(isFiltered && { words: "yes" }) },
    });
  } catch (error) {
    await body.cancel();
    throw error;
  }
  const name = `duebook-customers-${owner.mode}-${dayInZone(now, seller.time_zone)}`;
  return tableResponse(name, format, body);
}

interface CustomerFile extends Omit<FileRequester, "seller_id" | "busy"> {
  format: ExportFormat;
  time_zone: string;
  t: Translate<"export">;
}

/** @throws AppError `conflict` while the index is incomplete or another file is written */
export function openCustomerExport(
  pool: Pool,
  owner: KeyOwner,
  asked: ReturnType<typeof searchOfCustomerLine>,
  file: CustomerFile,
): Promise<OpenFile & { rows: number }> {
  const { format, time_zone, t } = file;
  const asker = { ...file, seller_id: owner.seller_id, busy: t("busy") };
  return openFile(asker, async (allowed) => {
    const query = await indexedCustomerQuery(pool, owner, asked.words, asked.search);
    const every = await openRowStream<Customer>(pool, owner, query);
    if (every.state !== "ready") throw new AppError({ kind: "conflict", detail: t("absent") });
    const tagged = withTags(pool, owner, every.batches, ({ buyer_phone }) => buyer_phone);
    const source = tableFile({
      columns: columnsOf(t, time_zone),
      rows: allowed(withNotes(pool, owner, tagged)),
      format,
      name: t("customers"),
      time_zone,
    });
    return { rows: every.count, source, close: every.close };
  });
}

type ExportedCustomer = Customer & { tags: string; notes: string };

function columnsOf(t: Translate<"export">, time_zone: string): TableColumn<ExportedCustomer>[] {
  const heading = t("headings.created");
  return [
    { heading: t("headings.customer_id"), read: ({ id }) => String(id) },
    { heading: t("headings.name"), read: ({ full_name }) => full_name },
    { heading: t("headings.phone"), read: ({ buyer_phone }) => buyer_phone },
    { heading: t("headings.email"), read: ({ buyer_email }) => buyer_email },
    {
      heading,
      sheetHeading: t("inZone", { heading, zone: time_zone }),
      kind: "moment",
      read: ({ created_at }) => created_at,
    },
    { heading: t("headings.tags"), read: ({ tags }) => tags },
    { heading: t("headings.notes"), read: ({ notes }) => notes },
  ];
}

/** A cell of a workbook has room for this many of the longest notes. */
const NOTES_IN_CELL = 15;

/** The newest notes of each customer as one text. */
async function* withNotes<Row extends Customer>(
  db: Database,
  { seller_id, mode }: KeyOwner,
  batches: AsyncIterable<Row[]>,
): AsyncGenerator<(Row & { notes: string })[]> {
  for await (const batch of batches) {
    const keys = batch.map(({ buyer_phone }) => phoneKey(buyer_phone)).filter(Boolean);
    const { rows } = await db.query<{ phone_key: string; notes: string }>(
      `select phone_key, string_agg(text, E'\\n' order by id desc) as notes
         from (select *, row_number() over (partition by phone_key order by id desc) as place
                 from customer_note
                where seller_id = $1 and mode = $2 and phone_key = any($3)) n
        where place <= $4 group by phone_key`,
      [seller_id, mode, keys, NOTES_IN_CELL],
    );
    const known = new Map(rows.map(({ phone_key, notes }) => [phone_key, notes]));
    yield batch.map((row) => ({ ...row, notes: known.get(phoneKey(row.buyer_phone)) ?? "" }));
  }
}

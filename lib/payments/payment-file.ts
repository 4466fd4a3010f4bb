import "server-only";
import { BYTE_ORDER_MARK, csvLine, csvStream } from "#lib/files/csv.ts";
import type { Translate } from "#lib/i18n/translate.ts";
import { sheetNumber, xlsxStream, type SheetCell } from "#lib/files/xlsx.ts";
import { zoneClock } from "#lib/format/zoned-moment.ts";
import type { ListedPayment } from "./queries.ts";
import type { PaymentFileFormat } from "./search.ts";

/** In the order of the file; `at` is a moment, and the amounts are numbers. */
const COLUMNS = [
  "id",
  "at",
  "buyer",
  "product",
  "amount",
  "currency",
  "fee",
  "net",
  "known_by",
  "subscription_id",
  "delivery_id",
  "vat",
  "method",
  "is_list_price",
] as const;
type Column = (typeof COLUMNS)[number];
const NUMBERS: readonly Column[] = ["amount", "fee", "net", "vat"];

interface FileWords {
  t: Translate<"payments">;
  paidWith: (method: string) => string;
  format: PaymentFileFormat;
  time_zone: string;
}

/** Written while it is read, so that its length costs no memory. */
export function paymentsFile(
  batches: AsyncGenerator<ListedPayment[]>,
  { t, paidWith, format, time_zone }: FileWords,
): ReadableStream<Uint8Array> {
  const clock = zoneClock(time_zone);
  const textOf = (payment: ListedPayment, column: Column): string | null => {
    if (column === "product") return payment.product_name;
    if (column === "known_by") return t(`knownBy.${payment.known_by}`);
    if (column === "method") return payment.method && paidWith(payment.method);
    if (column === "is_list_price") return payment.is_list_price ? t("file.listPrice") : null;
    return payment[column];
  };
  const headings = COLUMNS.map((column) => t(`file.${column}`));
  if (format === "csv") {
    const cell = (payment: ListedPayment, column: Column) => {
      const moment = column === "at" ? clock(payment.at) : null;
      return moment ? moment.local + moment.offset : textOf(payment, column);
    };
    async function* lines() {
      yield BYTE_ORDER_MARK + csvLine(headings);
      for await (const batch of batches)
        yield batch
          .map((payment) => csvLine(COLUMNS.map((column) => cell(payment, column))))
          .join("");
    }
    return csvStream(lines());
  }
  const cell = (payment: ListedPayment, column: Column): SheetCell => {
    const moment = column === "at" ? clock(payment.at) : null;
    if (moment) return new Date(`${moment.local}Z`);
    const text = textOf(payment, column);
    return text !== null && NUMBERS.includes(column) ? sheetNumber(text) : text;
  };
  async function* rows() {
    for await (const batch of batches)
      for (const payment of batch) yield COLUMNS.map((column) => cell(payment, column));
  }
  return xlsxStream({
    name: t("title"),
    headings: COLUMNS.map((column, place) => ({
      text:
        column === "at"
          ? t("file.inZone", { heading: headings[place] ?? "", zone: time_zone })
          : (headings[place] ?? ""),
      isMoment: column === "at",
    })),
    rows: rows(),
  });
}

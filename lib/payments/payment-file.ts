import "server-only";
import { tableFile, type TableColumn } from "#lib/files/table-file.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { ListedPayment } from "./queries.ts";
import { paidWithWord } from "./rules.ts";
import type { PaymentFileFormat } from "./search.ts";

/** The columns in the order of the file; `at` is a moment, and the amounts are numbers. */
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

export function paymentsFile(
  rows: AsyncGenerator<ListedPayment[]>,
  { t, paidWith, format, time_zone }: FileWords,
): ReadableStream<Uint8Array> {
  const textOf = (payment: ListedPayment, column: Column): string | null => {
    if (column === "product") return payment.product_name;
    if (column === "known_by") return t(`knownBy.${payment.known_by}`);
    if (column === "method") return payment.method && paidWith(paidWithWord(payment.method));
    if (column === "is_list_price") return payment.is_list_price ? t("file.listPrice") : null;
    return payment[column];
  };
  const columns = COLUMNS.map((column): TableColumn<ListedPayment> => {
    const heading = t(`file.${column}`);
    const read = (payment: ListedPayment) => textOf(payment, column);
    if (column === "at") {
      const sheetHeading = t("file.inZone", { heading, zone: time_zone });
      return { heading, sheetHeading, kind: "moment", read };
    }
    return { heading, kind: NUMBERS.includes(column) ? "number" : "text", read };
  });
  return tableFile({ columns, rows, format, name: t("title"), time_zone });
}

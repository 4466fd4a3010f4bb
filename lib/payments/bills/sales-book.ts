import "server-only";
import { amountLeft } from "#contract/amount.ts";
import type { AccountBillPage } from "#contract/payments.ts";
import { toBikramSambat } from "#contract/process/bikram-sambat.ts";
import { tableFile, type TableColumn } from "#lib/files/table-file.ts";
import { zoneConverter } from "#lib/format/zoned-moment.ts";
import type { Translate } from "#lib/i18n/message.ts";

type Bill = AccountBillPage["results"][number];

interface BookWords {
  t: Translate<"statement">;
  format: "csv" | "xlsx";
  /** The seller's time zone, in which a bill's day is counted. */
  time_zone: string;
}

export const salesBookFile = (
  rows: AsyncIterable<readonly Bill[]>,
  { t, format, time_zone }: BookWords,
): ReadableStream<Uint8Array> =>
  tableFile({
    columns: columnsOf(t, time_zone),
    rows,
    format,
    name: t("book.title"),
    time_zone,
  });

/** A credit note takes away what its bill added. */
const signed = ({ kind }: Bill, amount: string | null) =>
  amount === null || kind !== "credit_note" ? amount : `-${amount}`;

const bsText = (day: string) => {
  const bs = toBikramSambat(day);
  const two = (part: number) => String(part).padStart(2, "0");
  return bs && `${bs.year}-${two(bs.month)}-${two(bs.date)}`;
};

function columnsOf(t: BookWords["t"], time_zone: string): TableColumn<Bill>[] {
  const clock = zoneConverter(time_zone);
  return [
    { heading: t("book.number"), read: ({ number }) => number },
    {
      heading: t("book.kind"),
      read: ({ kind }) => t(`book.kinds.${kind}` as "book.kinds.receipt"),
    },
    { heading: t("book.issued"), kind: "moment", read: ({ issued_at }) => issued_at },
    {
      heading: t("book.bs"),
      read: ({ issued_at }) => bsText((clock(issued_at)?.local ?? issued_at).slice(0, 10)),
    },
    { heading: t("book.buyer"), read: ({ buyer }) => buyer },
    { heading: t("book.pan"), read: ({ buyer_pan }) => buyer_pan },
    { heading: t("book.currency"), read: ({ currency }) => currency },
    {
      heading: t("book.taxable"),
      kind: "number",
      read: (bill) => bill.vat && signed(bill, amountLeft(bill.amount, bill.vat)),
    },
    { heading: t("book.vat"), kind: "number", read: (bill) => signed(bill, bill.vat) },
    { heading: t("book.total"), kind: "number", read: (bill) => signed(bill, bill.amount) },
    { heading: t("book.corrects"), read: ({ corrects }) => corrects },
  ];
}

import type { MonthlyStatement } from "#contract/payments.ts";
import { localDate } from "#contract/process/local-day.ts";
import { WRITING, type Language } from "../checkout/reader.ts";
import { PdfPages, type Column } from "../documents/pdf.ts";
import { STATEMENT_EN, STATEMENT_NE, type StatementTexts } from "./statement-texts.ts";

const TEXTS: Record<Language, StatementTexts> = { en: STATEMENT_EN, ne: STATEMENT_NE };
const ZERO = "0.00";

type Line = MonthlyStatement["entries"][number]["lines"][number];
type Account = Pick<Line, "account" | "label" | "provider">;

/**
 * A statement as a PDF.
 * @param entries all of the month; null if they are too many
 */
export async function statementPdf(
  statement: Omit<MonthlyStatement, "next" | "entries">,
  entries: MonthlyStatement["entries"] | null,
  { language, business, at }: { language: Language; business: string; at: Date },
): Promise<Buffer> {
  const texts = TEXTS[language];
  const { money, day, digits } = WRITING[language];
  const { month, time_zone, accounts, totals } = statement;
  const dayOf = (moment: Date) => day(localDate(moment, time_zone));
  const [from, to] = [new Date(statement.from), new Date(Date.parse(statement.until) - 1)];
  const balance = (currency: string, text: string) => {
    const amount = money(currency, text.replace(/^-/, ""));
    if (text === ZERO) return amount;
    return text.startsWith("-") ? texts.inCredit(amount) : texts.inDebit(amount);
  };
  const name = ({ account, label, provider }: Account) =>
    account === "provider"
      ? (label ?? provider ?? "")
      : texts.accounts[account as keyof StatementTexts["accounts"]];
  const pages = new PdfPages({
    title: `${texts.title} ${month}`,
    language,
    at,
    footer: (page, count) =>
      `${business} · ${texts.title} ${digits(month)} · ${texts.page(digits(String(page)), digits(String(count)))}`,
  });
  pages.text(business, { size: 15, weight: "bold" });
  pages.text(texts.title, { size: 12 });
  pages.text(texts.until(dayOf(from), dayOf(to), time_zone), { color: MUTED });
  if (!statement.is_complete) pages.text(texts.incomplete, { color: MUTED });
  pages.space(10);

  for (const total of totals) {
    const rows: [string, string][] = [
      [texts.totals.payments, digits(String(total.payments))],
      [texts.totals.paid, money(total.currency, total.paid)],
      [texts.totals.takenBack, money(total.currency, total.taken_back)],
      [texts.totals.givenBack, money(total.currency, total.given_back)],
      [texts.totals.disputed, money(total.currency, total.disputed)],
      [texts.totals.providerFee, money(total.currency, total.provider_fee)],
      [texts.totals.serviceFee, money(total.currency, total.service_fee)],
      [texts.totals.net, money(total.currency, total.net)],
    ];
    await pages.table<[string, string]>(
      [
        { heading: texts.headings.sum, part: 0.4, read: ([label]) => label },
        {
          heading: texts.headings.amount,
          part: 0.25,
          align: "right",
          read: ([, text]) => text,
        },
      ],
      rows,
    );
  }

  type Balance = MonthlyStatement["accounts"][number];
  const sum = (side: "opening" | "debit" | "credit" | "closing"): Column<Balance> => ({
    heading: texts.headings[side],
    part: 0.18,
    align: "right",
    read: (row) =>
      side === "debit" || side === "credit"
        ? money(row.currency, row[side])
        : balance(row.currency, row[side]),
  });
  if (accounts.length > 0)
    await pages.table(
      [
        { heading: texts.headings.account, part: 0.28, read: name },
        sum("opening"),
        sum("debit"),
        sum("credit"),
        sum("closing"),
      ],
      accounts,
    );

  if (entries === null) pages.text(texts.tooMany);
  else if (entries.length === 0) pages.text(texts.none);
  else {
    const amount = (side: "debit" | "credit"): Column<Row> => ({
      heading: texts.headings[side],
      part: 0.15,
      align: "right",
      read: ({ line }) => (line[side] === ZERO ? "" : money(line.currency, line[side])),
    });
    type Row = { when: string; what: string; line: Line };
    const rows = entries.flatMap(({ booked_at, kind, full_name, reference, lines }) =>
      lines.map((line, index): Row => {
        const what = `${texts.kinds[kind as keyof StatementTexts["kinds"]]} · ${full_name}`;
        const texted = index === 0 ? what : index === 1 ? (reference ?? "") : "";
        return { when: index === 0 ? dayOf(new Date(booked_at)) : "", what: texted, line };
      }),
    );
    await pages.table<Row>(
      [
        { heading: texts.headings.when, part: 0.15, read: ({ when }) => when },
        { heading: texts.headings.what, part: 0.33, read: ({ what }) => what },
        { heading: texts.headings.account, part: 0.22, read: ({ line }) => name(line) },
        amount("debit"),
        amount("credit"),
      ],
      rows,
    );
  }
  return pages.end();
}

const MUTED = "#57606a";

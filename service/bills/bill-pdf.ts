import { encode } from "uqr";
import { amountLeft, shortAmount } from "#contract/amount.ts";
import { toBikramSambat } from "#contract/process/bikram-sambat.ts";
import { localDate } from "#contract/process/local-day.ts";
import { WRITING } from "../checkout/reader.ts";
import { PdfPages, type Paragraph } from "../documents/pdf.ts";
import type { Bill } from "./bill.ts";
import { amountInWords } from "./words.ts";

const BS_MONTHS = {
  en: "Baisakh Jestha Asar Shrawan Bhadra Aswin Kartik Mangsir Poush Magh Falgun Chaitra",
  ne: "वैशाख जेठ असार साउन भदौ असोज कात्तिक मंसिर पुस माघ फागुन चैत",
};
const TITLES = {
  receipt: "Receipt · रसिद",
  vat_bill: "VAT bill · कर बीजक",
  credit_note: "Credit note · क्रेडिट नोट",
  debit_note: "Debit note · डेबिट नोट",
};
const PAID = "Total paid · जम्मा भुक्तानी";
const TOTALS = {
  receipt: PAID,
  vat_bill: PAID,
  credit_note: "Credited · फिर्ता जम्मा",
  debit_note: "Debited · डेबिट जम्मा",
};
const INTERVALS: Record<string, [en: string, ne: string]> = {
  day: ["day", "दिन"],
  week: ["week", "हप्ता"],
  month: ["month", "महिना"],
  year: ["year", "वर्ष"],
};
const CAUSES = {
  reversal: "The payment did not come · भुक्तानी आएन",
  refund: "Money given back · रकम फिर्ता",
  provider_refund: "Money given back · रकम फिर्ता",
  refund_failed: "A refund did not reach the buyer · फिर्ता रकम क्रेतासम्म पुगेन",
};
const MUTED = "#57606a";
const CODE_SIDE = 82;

/** A day in one language, in both calendars. */
function dayText(day: Temporal.PlainDate, language: "en" | "ne"): string {
  const { day: written, digits } = WRITING[language];
  const bs = toBikramSambat(day.toString());
  if (!bs) return written(day);
  const month = BS_MONTHS[language].split(" ")[bs.month - 1] ?? "";
  return language === "en"
    ? `${written(day)} (${bs.date} ${month} ${bs.year} BS)`
    : `${digits(`${bs.year} ${month} ${bs.date}`)} (${written(day)})`;
}

/**
 * A bill in English and Nepali. One version of the program makes the same bytes of the same bill.
 * @param page the address of the page that confirms it
 * @param isTest whether it says that it is not valid
 */
export async function billPdf(
  bill: Bill,
  { page, isTest }: { page: string; isTest: boolean },
): Promise<Buffer> {
  const { kind, label, facts, currency, amount, vat } = bill;
  const { seller, buyer } = facts;
  const money = (text: string) => WRITING.en.money(currency, text);
  const days = (moment: Date) => localDate(moment, facts.time_zone);
  const both = (day: Temporal.PlainDate) => [dayText(day, "en"), dayText(day, "ne")];
  const pages = new PdfPages({
    title: `${TITLES[kind]} ${label}`,
    language: "en",
    at: bill.issued_at,
    footer: (at, count) => `${seller.name} · ${label} · ${at} / ${count}`,
  });

  if (isTest) {
    pages.paragraph("TEST – NOT A VALID BILL · परीक्षण – मान्य बिल होइन", {
      size: 13,
      weight: "bold",
      color: "#b42318",
    });
    pages.space(6);
  }
  const party = ({ pan, address }: typeof seller): Paragraph[] => [
    ...(address ? [{ text: address }] : []),
    ...(pan ? [{ text: `PAN/VAT no. · प्यान/भ्याट नं.: ${pan}` }] : []),
  ];
  pages.columns(
    [{ text: seller.name, size: 15, weight: "bold" }, ...party(seller)],
    [
      { text: TITLES[kind], size: 13, weight: "bold" },
      { text: `No. · नं.: ${label}`, weight: "bold" },
      { text: `Fiscal year · आर्थिक वर्ष: ${bill.fiscal_year}` },
    ],
  );
  pages.space(14);
  const [issued = "", issuedNe = ""] = both(days(bill.issued_at));
  const corrected = facts.corrected_at ? both(days(new Date(facts.corrected_at))) : [];
  pages.columns(
    [
      { text: "Buyer · क्रेता", color: MUTED },
      { text: buyer.name, weight: "bold", size: 11 },
      ...party(buyer),
    ],
    [
      { text: "Date · मिति", color: MUTED },
      { text: issued },
      { text: issuedNe },
      ...(facts.corrects
        ? [
            { text: "Corrects · सच्याइएको बिल", color: MUTED },
            { text: facts.corrects },
            ...corrected.map((text) => ({ text })),
          ]
        : [
            { text: "Paid by · भुक्तानीको माध्यम", color: MUTED },
            {
              text: `${WRITING.en.texts.methods[facts.method]} · ${WRITING.ne.texts.methods[facts.method]}`,
            },
          ]),
    ],
  );
  pages.space(16);

  pages.paragraph(facts.plan ? `${facts.product} · ${facts.plan}` : facts.product, {
    weight: "bold",
    size: 10.5,
  });
  for (const text of periodLines(facts)) pages.paragraph(text, { color: MUTED });
  pages.space(4);
  const taxable = vat === null ? null : amountLeft(amount, vat);
  const isNote = facts.corrects !== undefined;
  const total = TOTALS[kind];
  const rows: [label: string, amount: string][] = [
    ...(facts.cause ? [[CAUSES[facts.cause], ""] as [string, string]] : []),
    ...(isNote ? [] : priceRows(bill, money)),
    ...(taxable === null || vat === null
      ? []
      : [
          ["Taxable amount · कर लाग्ने रकम", money(taxable)] as [string, string],
          [
            `VAT ${shortAmount(facts.vat_percentage ?? "0")} % · मू.अ.कर ${shortAmount(facts.vat_percentage ?? "0")} %`,
            money(vat),
          ] as [string, string],
        ]),
  ];
  await pages.table<[string, string]>(
    [
      { heading: "Description · विवरण", part: 0.68, read: ([text]) => text },
      { heading: "Amount · रकम", part: 0.32, align: "right", read: ([, text]) => text },
    ],
    rows,
  );
  pages.paragraph(`${total}: ${money(amount)}`, { weight: "bold", size: 12 });
  pages.paragraph(`In words: ${amountInWords(currency, amount, "en")}`);
  pages.paragraph(`अक्षरेपी: ${amountInWords(currency, amount, "ne")}`);
  pages.space(18);
  pages.modules(encode(page, { ecc: "M", border: 0 }).data, CODE_SIDE, [
    { text: "Scan to check this number and sum." },
    { text: "यो नम्बर र रकम जाँच्न स्क्यान गर्नुहोस्।" },
    { text: page, color: MUTED, size: 7.5 },
  ]);
  return pages.end();
}

function periodLines({ period_start, interval: { type, count } }: Bill["facts"]): string[] {
  const names = INTERVALS[type];
  if (period_start === null || !names) return [];
  const from = Temporal.PlainDate.from(period_start);
  const [en, ne] = names;
  const digits = WRITING.ne.digits(String(count));
  return [
    `${count} ${en}${count === 1 ? "" : "s"} from ${dayText(from, "en")}`,
    `${dayText(from, "ne")} देखि ${digits} ${ne}`,
  ];
}

function priceRows({ facts }: Bill, money: (text: string) => string): [string, string][] {
  const included = facts.vat_is_included ? ", VAT included · मूल्य, मू.अ.कर सहित" : " · मूल्य";
  return [
    [`Price${included}`, money(facts.price)],
    ...(facts.discount === null
      ? []
      : [[`Offer · छुट`, `− ${money(facts.discount)}`] as [string, string]]),
  ];
}

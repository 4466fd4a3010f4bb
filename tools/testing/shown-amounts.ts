import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { ToPay } from "#lib/format/format.ts";
import { LANGUAGES } from "#lib/i18n/languages.ts";
import { messageFacts } from "#lib/messages/channels.ts";
import { DEFAULT_REMINDERS, REMINDER_KINDS } from "#lib/messages/reminders/rules.ts";
import { fillMessage, messageWriterFor } from "#lib/messages/rules.ts";
import type { Amounts } from "#lib/money/price.ts";
import { readAmounts } from "#lib/search-index/query/owed.ts";
import { openExport } from "#lib/subscriptions/export/data.ts";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { pool } from "./dashboard-database.ts";
import { translatorOf } from "./messages.ts";
import { readWorkbook } from "./read-workbook.ts";

const ZONE = "Asia/Kathmandu";

const noCatalogue = {
  listProducts: () => Promise.reject(new Error("the API must not be called")),
};
/** The amounts that checkouts ask for on a day, as the index knows them. */
export const amountsOf = (owner: KeyOwner, day: string) =>
  readAmounts(pool, { owner, billing: noCatalogue }, day);

/** The amount as English and Nepali texts write it, formatted independently. */
export const shownIn = {
  en: (amount: string) => Number(amount).toLocaleString("en-US", { minimumFractionDigits: 2 }),
  ne: (amount: string) =>
    Number(amount)
      .toLocaleString("en-IN", { minimumFractionDigits: 2 })
      .replace(/\d/g, (digit) => "०१२३४५६७८९"[Number(digit)] ?? ""),
};

/** Every default reminder to the buyer, in each language and form. */
export function* textsTo(record: Subscription, to_pay: ToPay, today: string) {
  for (const kind of REMINDER_KINDS)
    for (const language of LANGUAGES) {
      const facts = messageFacts(messageWriterFor(language), record, {
        seller: { name: "Phewa", currency: "NPR", amount_style: "code" },
        link: "https://pay.example.com/1",
        to_pay,
        day: today,
        days: 1,
      });
      for (const form of ["any", "sms"] as const)
        yield { language, text: fillMessage(DEFAULT_REMINDERS[kind][language][form], facts) };
    }
}

/** An amount without trailing zeros: a sum has as many decimal places as its longest summand. */
export const number = (amount: string | undefined) => Number(amount ?? "0");
/** The rows of the exported list in each format: id, amount and by what the amount is known. */
export async function filesOf(owner: KeyOwner, amounts: Amounts) {
  const file = async (format: "csv" | "xlsx") => {
    const search = parseSubscriptionSearch({ sort: "created" });
    const { body } = await openExport(
      pool,
      owner,
      { search, words: "", time_zone: ZONE },
      {
        format,
        columns: ["subscription_id", "to_pay", "to_pay_known_by"],
        amounts,
        wording: {
          t: translatorOf("export", "en"),
          tList: translatorOf("subscriptions", "en"),
        },
        user_id: owner.seller_id,
        mayGoOn: async () => true,
      },
    );
    return Buffer.from(await new Response(body).arrayBuffer());
  };
  const [, ...lines] = (await file("csv")).toString("utf8").trim().split("\r\n");
  const [sheet] = readWorkbook(await file("xlsx"));
  return [
    lines.map((line) => line.split(",")),
    (sheet ?? [])
      .slice(1)
      .map(({ A, B, C }) => [A?.value ?? "", B?.value ?? "", C?.value ?? ""]),
  ].map((rows) => rows.map(([id = "", amount = "", by = ""]) => [id, number(amount), by]));
}

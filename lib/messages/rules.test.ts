import { describe, expect, test } from "vitest";
import { formatOf } from "#tools/testing/messages.ts";
import {
  fillMessage,
  messageProblem,
  readMessage,
  messageWriterFor,
  priceNoticeText,
} from "./rules.ts";

const facts = {
  name: "सरस्वती राई",
  product: "Fresh Milk",
  plan: "One litre, Monthly",
  amount: "NPR 3,150.00",
  date: "20 Dec 2026",
  days: "3 days",
  link: "https://pay.example/pay/s-1",
  seller: "Himal Dairy",
};

const FIRST =
  "Hello {name},\nhere is the link to pay for {product} ({plan}), {amount}:\n{link}\n{seller}";

describe("a filled message", () => {
  test("names buyer, product, amount, date and link", () => {
    expect(fillMessage(FIRST, facts)).toBe(
      "Hello सरस्वती राई,\nhere is the link to pay for Fresh Milk (One litre, Monthly), NPR 3,150.00:\nhttps://pay.example/pay/s-1\nHimal Dairy",
    );
    expect(fillMessage("{date}, in {days}: {link}", facts)).toMatch(/^20 Dec 2026, in 3 days:/);
  });

  test("leaves no brackets, commas or spaces in place of unknown values", () => {
    const bare = { ...facts, name: "", plan: "", amount: "", product: "your subscription" };
    expect(fillMessage(FIRST, bare)).toBe(
      "Hello,\nhere is the link to pay for your subscription:\nhttps://pay.example/pay/s-1\nHimal Dairy",
    );
    expect(fillMessage("{name} जी, {plan} {link}", { ...bare })).toBe(
      "जी, https://pay.example/pay/s-1",
    );
  });

  test("keeps the seller's spacing and punctuation, and does not fill placeholders inside a name", () => {
    const odd = { ...facts, name: "{link}", product: "$& {name}" };
    expect(fillMessage("a  (b) , {name} {product} {link} {", odd)).toBe(
      "a  (b) , {link} $& {name} https://pay.example/pay/s-1 {",
    );
  });
});

describe("a message's values", () => {
  test("are written in the language of the text", () => {
    const english = messageWriterFor("en");
    expect(english.date("2026-12-05")).toBe("5 Dec 2026");
    expect([0, 1, 12].map(english.days)).toEqual(["less than a day", "1 day", "12 days"]);
    expect(english.money("123456.5", "NPR", "code_lakh")).toBe("NPR 1,23,456.50");
    const nepali = messageWriterFor("ne");
    expect(nepali.date("2026-12-05")).toBe("२०२६ डिसेम्बर ५");
    expect(nepali.days(12)).toBe("१२ दिन");
    expect(nepali.money("123456.5", "NPR", "symbol")).toBe("रु १,२३,४५६.५०");
  });

  test.each(["en", "ne"] as const)(
    "have the same date format as the pages in %s",
    (language) => {
      const writer = messageWriterFor(language);
      for (let month = 1; month <= 12; month += 1) {
        const day = `2026-${String(month).padStart(2, "0")}-09`;
        expect(writer.date(day)).toBe(formatOf({ language }).date(day));
      }
    },
  );
});

describe("the text of a message", () => {
  test.each(["नमस्ते {name} जी,\nभुक्तानी: {link}", "{link}"])("is accepted: %s", (body) => {
    expect(messageProblem(body)).toBeNull();
  });

  test.each([
    [" \n", "messages.problem.empty"],
    ["Hello {name}", "messages.problem.noLink"],
    ["{link} {nmae}", 'messages.problem.unknown {"mark":"{nmae}"'],
    ["{link} {}", 'messages.problem.unknown {"mark":"{}"'],
    ["{link} \u202eabc", "messages.problem.hidden"],
    [`{link}${"a".repeat(1_000)}`, "messages.problem.tooLong"],
  ])("is rejected: %o", (body, words) => {
    expect(messageProblem(body)).toContain(words);
  });

  test("is stored with line feeds as line ends", () => {
    expect(readMessage(" a\r\nb\rc\n")).toBe("a\nb\nc");
  });
});

test.each([
  [
    "en",
    "any",
    "Hello Asha,\nthe price of Milk (One litre) changes from NPR 1,000.00 to NPR 1,200.50 on 24 Dec 2026.\nPhewa",
  ],
  ["en", "sms", "Milk: NPR 1,200.50 instead of NPR 1,000.00 from 24 Dec 2026. Phewa"],
  ["en", "subject", "New price of Milk from 24 Dec 2026"],
  ["ne", "sms", "Milk: २०२६ डिसेम्बर २४ देखि NPR १,०००.०० को सट्टा NPR १,२००.५० Phewa"],
] as const)(
  "the notice of a new price in the language %s has the expected text in the form %s",
  (language, form, text) => {
    const facts = {
      name: "Asha",
      product: "Milk",
      plan: "One litre",
      amount: "",
      date: "",
      days: "",
      link: "",
      seller: "Phewa",
    };
    const price = (amount: string) => ({ amount, currency: "NPR" });
    const notice = { day: "2026-12-24", before: price("1000.00"), after: price("1200.50") };
    const writer = messageWriterFor(language);
    const context = { language, facts, writer, amount_style: "code" as const };
    expect(priceNoticeText(notice, form, context)).toBe(text);
  },
);

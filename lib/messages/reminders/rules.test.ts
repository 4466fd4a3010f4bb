import { describe, expect, test } from "vitest";
import { LANGUAGES } from "#lib/i18n/languages.ts";
import { fillMessage, messageWriterFor } from "../rules.ts";
import { smsLength } from "#contract/message-text.ts";
import {
  languageFor,
  DEFAULT_REMINDERS,
  REMINDER_FORMS,
  REMINDER_KINDS,
  reminderKind,
  reminderProblem,
  remindersOf,
} from "./rules.ts";

const every = REMINDER_KINDS.flatMap((kind) =>
  LANGUAGES.map((language) => ({ kind, language, ours: DEFAULT_REMINDERS[kind][language] })),
);

describe("default texts", () => {
  test.each(every)("are valid: $kind, $language", ({ language, ours }) => {
    for (const form of REMINDER_FORMS) expect(reminderProblem(form, ours[form])).toBeNull();
    expect(/\p{Script=Devanagari}/u.test(ours.any)).toBe(language === "ne");
  });

  test.each(every)(
    "fit in one SMS in English and in two in Nepali: $kind, $language",
    (one) => {
      const { language, ours } = one;
      const writer = messageWriterFor(language);
      const facts = {
        name: "सरस्वती राई",
        product: language === "ne" ? "ताजा दूध" : "Fresh Milk",
        plan: "One litre, Monthly",
        amount: writer.money("3150", "NPR", "code_lakh"),
        date: writer.date("2026-12-20"),
        days: writer.days(2),
        link: "https://pay.example/pay/7f3c2a19-0b1d-4c57-9a2e",
        seller: language === "ne" ? "हिमाल डेरी" : "Himal Dairy",
      };
      const { parts, encoding } = smsLength(fillMessage(ours.sms, facts));
      expect([encoding, parts <= (language === "ne" ? 2 : 1)]).toEqual([
        language === "ne" ? "UCS-2" : "GSM-7",
        true,
      ]);
    },
  );
});

test("a seller's text replaces only the default of the same kind and language", () => {
  const own = { kind: "due", language: "en", channel: "any", body: "Own {link}" } as const;
  expect(remindersOf([own])).toEqual({
    ...DEFAULT_REMINDERS,
    due: { ...DEFAULT_REMINDERS.due, en: { ...DEFAULT_REMINDERS.due.en, any: "Own {link}" } },
  });
});

test("a reminder has the language of the last message, else of the seller's texts, else of the buyer's name", () => {
  const ours = remindersOf([]);
  const own = { kind: "due", channel: "any", body: "{link}" } as const;
  const nepali = remindersOf([{ ...own, language: "ne" }]);
  const both = remindersOf([
    { ...own, language: "ne" },
    { ...own, language: "en" },
  ]);
  expect(languageFor(ours, "due", { name: "सरस्वती", remembered: "en" })).toBe("en");
  expect(languageFor(ours, "due", { name: "सरस्वती" })).toBe("ne");
  expect(languageFor(ours, "due", { name: "Asha" })).toBe("en");
  expect(languageFor(nepali, "due", { name: "Asha" })).toBe("ne");
  expect(languageFor(nepali, "soon", { name: "Asha" })).toBe("en");
  expect(languageFor(both, "due", { name: "Asha" })).toBe("en");
});

test("the kind of a reminder follows from the status of the subscription", () => {
  const kinds = ["pending_checkout", "active", "due", "new_word"].map((status) =>
    reminderKind({ status }),
  );
  expect(kinds).toEqual(["waiting", "soon", "due", "soon"]);
});

test.each([
  ["Payment\nfor {product}", "messages.problem.longSubject"],
  ["a".repeat(151), "messages.problem.longSubject"],
  [" ", "messages.problem.empty"],
  ["{prodct}", "messages.problem.unknown"],
])("the mail subject %o is rejected with a reason", (body, words) => {
  expect(reminderProblem("subject", body)).toContain(words);
});

import { globSync, readFileSync } from "node:fs";
import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { describe, expect, test } from "vitest";
import { CATALOGUES } from "#tools/testing/messages.ts";
import { LANGUAGES } from "./languages.ts";

type Tree = { [key: string]: string | Tree };

function messagesOf(tree: Tree, path = ""): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const key = path ? `${path}.${name}` : name;
    return typeof value === "string" ? [[key, value] as const] : messagesOf(value, key);
  }) as [string, string][];
}

/** A message's arguments and tags: "count", "<strong>". */
function slotsOf(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        return [];
      case TYPE.argument:
      case TYPE.number:
      case TYPE.date:
      case TYPE.time:
        return [element.value];
      case TYPE.tag:
        return [`<${element.value}>`, ...slotsOf(element.children)];
      case TYPE.plural:
      case TYPE.select:
        return [
          element.value,
          ...Object.values(element.options).flatMap(({ value }) => slotsOf(value)),
        ];
    }
  });
}

const slots = (text: string) => [...new Set(slotsOf(parse(text)))].sort();

const english = new Map(messagesOf(CATALOGUES.en));

describe.each(LANGUAGES)("the messages in %s", (language) => {
  const messages = new Map(messagesOf(CATALOGUES[language]));

  test("have the same keys as the English catalogue, and none is empty", () => {
    expect([...messages.keys()].sort()).toEqual([...english.keys()].sort());
    expect([...messages].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  test("have the same arguments and tags as the English messages", () => {
    for (const [key, text] of messages)
      expect([key, slots(text)]).toEqual([key, slots(english.get(key) ?? "")]);
  });
});

test("Nepali messages differ from the English messages, except for names, signs and arguments", () => {
  const untranslated = messagesOf(CATALOGUES.ne).filter(
    ([key, text]) => text === english.get(key) && !SAME_IN_BOTH.test(text),
  );
  expect(untranslated).toEqual([]);
});

/** The Nepali word or spelling that Duebook uses, and a pattern of those that it must not use. */
const GLOSSARY: [used: string, others: RegExp][] = [
  ["ग्राहक", /खरिदकर्ता|कस्टमर/],
  ["सदस्यता", /सब्सक्रिप्शन|सब्सक्रिप्सन/],
  ["भुक्तानी", /पेमेन्ट/],
  ["थप म्याद", /छुट अवधि|ग्रेस|अनुग्रह|थप समय/],
  ["गोप्य कुञ्जी", /गोप्य सङ्केत/],
  ["मू.अ.कर", /भ्याट/],
  ["फर्कने ठेगाना", /फर्किने/],
  ["प्रतिलिपि गर्नुहोस्", /कपी/],
  ["सेयर गर्नुहोस्", /साझा/],
  ["आईडी", /परिचय नं/],
  ["डेटा", /डाटा/],
  ["पृष्ठ", /पेज|पाना(?!मा)/],
  ["इन्क्रिप्सन", /गुप्तीकरण/],
  ["अङ्क", /अंक/],
  ["आफैँ", /आफैं/],
  ["हुँदै छ", /ँदैछ/],
  ["गर्नुहोस्", /नुस्|नुहोस(?!्)/],
];

test("Nepali messages use one word and one spelling for each term of the glossary", () => {
  const messages = messagesOf(CATALOGUES.ne);
  const astray = GLOSSARY.flatMap(([used, others]) =>
    messages
      .filter(([, text]) => others.test(text))
      .map(([key, text]) => `${key}: ${text} (${used})`),
  );
  expect(astray).toEqual([]);
});

/**
 * Texts that are the same in both languages, because they contain only names, signs or arguments.
 */
const SAME_IN_BOTH =
  /^(?:[^A-Za-z]|\{[^}]*\}|<\/?\w+>|Duebook|WhatsApp|Viber|SMS|CSV|PDF|PAN|VAT|KYC|URL|API|HTTP|PHP|Python|Node\.js|JSON|curl|English|id)*$/;

// Read before the test, because a busy disk could exceed the test's time limit.
const source = globSync("{app,components,lib}/**/*.{ts,tsx}", { exclude: ["**/*.test.ts"] })
  .map((path) => readFileSync(path, "utf8"))
  .join("\n");

test("every message is used in the code", () => {
  const [whole, groups] = [endsOf(source, /"([\w.-]+)"/g), endsOf(source, /([\w.-]+)\.\$\{/g)];
  const unused = [...english.keys()].filter((key) => {
    const [, ...path] = key.split(".");
    return !whole.has(path.at(-1) ?? "") && !groups.has(path.slice(0, -1).join("."));
  });
  expect(unused).toEqual([]);
});

/**
 * The endings of a key, from each dot on: the code names a message by its last part, or by the group
 * that it is chosen from. Only approximate: the text can occur in a file that does not use the message.
 */
function endsOf(source: string, names: RegExp): Set<string> {
  const ends = new Set<string>();
  for (const [, name = ""] of source.matchAll(names)) {
    const parts = name.split(".");
    for (let from = 0; from < parts.length; from += 1) ends.add(parts.slice(from).join("."));
  }
  return ends;
}

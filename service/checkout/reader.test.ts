import type { FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import { readerOf, TEXTS } from "./reader.ts";

type Text = string | ((...slots: string[]) => string);
type Tree = { [name: string]: Text | Tree };

/** Every text by its name, with marks in place of its parameters. */
function textsOf(tree: Tree, path = ""): [name: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]) => {
    const name = `${path}${key}`;
    if (typeof value === "object") return textsOf(value, `${name}.`);
    const text =
      typeof value === "string"
        ? value
        : value(...Array.from({ length: value.length }, (_, index) => `<${index}>`));
    return [[name, text]];
  });
}

const marksIn = (text: string) => (text.match(/<\d>/g) ?? []).sort();
const english = textsOf(TEXTS.en);
const nepali = textsOf(TEXTS.ne);

function reader({ url = "/pay/1", asked = "", method = "GET" } = {}) {
  const headers = { "accept-language": asked };
  return readerOf({ method, url, headers } as unknown as FastifyRequest);
}

describe("the checkout's texts", () => {
  it("have the same keys and placeholders in English and Nepali, and no text is empty", () => {
    const shape = (texts: [string, string][]) =>
      Object.fromEntries(texts.map(([name, text]) => [name, marksIn(text)]));
    expect(shape(nepali)).toEqual(shape(english));
    expect([...english, ...nepali].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  it("are written in Devanagari, without Latin letters, in the Nepali version", () => {
    expect(nepali.filter(([, text]) => /[a-z]/i.test(text))).toEqual([]);
    expect(nepali.filter(([, text]) => !/\p{Script=Devanagari}/u.test(text))).toEqual([]);
  });
});

describe("the checkout's language", () => {
  it.each([
    ["", "en"],
    ["ne-NP,ne;q=0.9,en;q=0.8", "ne"],
    ["en-GB,en;q=0.9,ne;q=0.8", "en"],
    ["fr-FR, ne;q=0.4, en;q=0.2", "ne"],
    ["ne;q=0, en", "en"],
    ["hi-IN,hi;q=0.9", "en"],
    [";;;,q=,ne;q=x", "en"],
    ["__proto__,constructor", "en"],
  ])("follows the browser's Accept-Language header: %j gives %s", (asked, language) => {
    expect(reader({ asked }).language).toBe(language);
  });

  it("is the language in the URL's lang parameter, and links to the checkout's pages keep the parameter", () => {
    const chosen = reader({ url: "/pay/1?attempt=a&lang=ne", asked: "en" });
    expect(chosen.language).toBe("ne");
    expect(chosen.own("/pay/1")).toBe("/pay/1?lang=ne");
    expect(chosen.own("/pay/1?attempt=a")).toBe("/pay/1?attempt=a&lang=ne");
    expect(chosen.own("https://wallet.example/p")).toBe("https://wallet.example/p");
    expect(reader({ asked: "ne" }).own("/pay/1")).toBe("/pay/1");
    expect(reader({ url: "/pay/1?lang=__proto__" }).language).toBe("en");
  });

  it.each([
    ["en", "NPR 1,234,567.00", "USD 999.50", "5 December 2026"],
    ["ne", "रु १२,३४,५६७.००", "USD ९९९.५०", "२०२६ डिसेम्बर ५"],
  ])("determines how amounts and dates are written (%s)", (lang, rupees, dollars, day) => {
    const { money, day: write } = reader({ url: `/pay/1?lang=${lang}` });
    expect(money("NPR", "1234567.00")).toBe(rupees);
    expect(money("USD", "999.50")).toBe(dollars);
    expect(write(Temporal.PlainDate.from("2026-12-05"))).toBe(day);
  });
});

import { expect, it } from "vitest";
import { SHARED_LINK_WORDS } from "../shared-links/words.ts";
import { BUYER_WORDS } from "./words.ts";

const textsOf = (tree: object): string[] =>
  Object.values(tree).flatMap((value: unknown) =>
    typeof value === "string"
      ? [value]
      : typeof value === "function"
        ? [String((value as (...slots: string[]) => string)("<1>", "<2>"))]
        : textsOf(value as object),
  );

it.each([
  ["the buyer's page", BUYER_WORDS],
  ["shared links", SHARED_LINK_WORDS],
])(
  "the Nepali texts of %s are in Nepali script, with the same parameters as the English texts",
  (_, words) => {
    const [english, nepali] = [textsOf(words.en), textsOf(words.ne)];
    const marks = (text: string) => (text.match(/<\d>/g) ?? []).sort();
    expect(nepali.map(marks)).toEqual(english.map(marks));
    expect(
      nepali.filter((text) => !/^[^a-z]*\p{Script=Devanagari}[^a-z]*$/iu.test(text)),
    ).toEqual([]);
  },
);

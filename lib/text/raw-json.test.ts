import { expect, test } from "vitest";
import { printRawJson, rawField, rawText, readRawJson } from "./raw-json.ts";

test("JSON is printed with its original numbers, escapes, field order and unknown fields", () => {
  const text =
    '{"id":12345678901234567890,"price":1500.00,"b":"\\u0905 \\"a\\": [x]","empty":{},"none":[],"list":[1,{"a":null}]}';
  expect(printRawJson(readRawJson(text))).toBe(`{
  "id": 12345678901234567890,
  "price": 1500.00,
  "b": "\\u0905 \\"a\\": [x]",
  "empty": {},
  "none": [],
  "list": [
    1,
    {
      "a": null
    }
  ]
}`);
});

test("API keys and secrets are left out of printed JSON at any depth", () => {
  const text =
    '{"signing_secret":"abc","api_key":{"a":1},"access_token":"t","note":"dbk_test_000_abc-1 and whsec_AbC=","return_token":null,"tokens":3}';
  expect(JSON.parse(printRawJson(readRawJson(text)))).toEqual({
    signing_secret: "…",
    api_key: "…",
    access_token: "…",
    note: "… and …",
    return_token: null,
    tokens: 3,
  });
});

test("a field of raw JSON is found, and invalid or too deeply nested JSON is refused", () => {
  const json = readRawJson('{"results":[{"product_id":"a\\u0062","n":7}]}');
  const list = rawField(json, "results");
  const [first] = list?.kind === "list" ? list.items : [];
  expect(first && rawText(rawField(first, "product_id"))).toBe("ab");
  expect(first && rawText(rawField(first, "n"))).toBe("7");
  expect(rawText(rawField(json, "results"))).toBeNull();
  expect(() => readRawJson("<h1>Oops</h1>")).toThrow(SyntaxError);
  expect(() => readRawJson("[".repeat(200) + "]".repeat(200))).toThrow(SyntaxError);
});

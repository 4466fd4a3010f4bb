import fc from "fast-check";
import { expect, test } from "vitest";
import { readRequest } from "./read-request.ts";

const BODY = `{"id" : "a-1", "event" : "checkout.succeeded", "name" : "O'Brien सीता \\"x\\""}`;
const HEADERS = [
  { name: "webhook-id", value: "a-1" },
  { name: "webhook-timestamp", value: "1795148100" },
  { name: "webhook-signature", value: "v1,c2lnbmF0dXJlL3dpdGgrY2hhcnM= v1,b3RoZXI=" },
];
const LINES = HEADERS.map(({ name, value }) => `${name}: ${value}`);

test.each([
  ["headers and body alone", `${LINES.join("\n")}\n\n${BODY}`],
  ["a request without an empty line", `${LINES.join("\n")}\n${BODY}`],
  ["empty lines before the request", `\n\n${LINES.join("\n")}\n\n${BODY}`],
])("reads %s", (_name, text) => {
  expect(readRequest(text)).toEqual({ url: null, headers: HEADERS, body: BODY });
});

test("reads a request line, with the host for a relative target", () => {
  const text = `POST /hooks HTTP/1.1\r\nHost: shop.example\r\n${LINES.join("\r\n")}\r\n\r\n${BODY}`;
  expect(readRequest(text)).toEqual({
    url: "https://shop.example/hooks",
    headers: [{ name: "Host", value: "shop.example" }, ...HEADERS],
    body: BODY,
  });
  expect(readRequest(`POST https://other.example/\n${LINES.join("\n")}`)?.url).toBe(
    "https://other.example/",
  );
});

test("keeps the body byte for byte", () => {
  fc.assert(
    fc.property(fc.string(), (body) => {
      expect(readRequest(`${LINES.join("\n")}\n\n${body}`)?.body).toBe(body);
    }),
  );
});

test("returns null for text without headers", () => {
  for (const text of ["", " \n ", BODY, "no header"]) expect(readRequest(text)).toBeNull();
});

import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { signDelivery } from "#lib/signature.ts";
import { examineDelivery } from "./examine.ts";
import { readMoment, readRequest, requestText, signWithCurrentTime } from "./request.ts";

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
])("a pasted delivery is read from %s", (_name, text) => {
  expect(readRequest(text)).toEqual({ url: null, headers: HEADERS, body: BODY });
});

test("the URL of a pasted delivery is read from the request line and the Host header", () => {
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

test("the body of a pasted delivery is kept unchanged", () => {
  fc.assert(
    fc.property(fc.string(), (body) => {
      expect(readRequest(`${LINES.join("\n")}\n\n${body}`)?.body).toBe(body);
    }),
  );
});

test("a pasted text without headers is not read as a delivery", () => {
  for (const text of ["", " \n ", BODY, "no header"]) expect(readRequest(text)).toBeNull();
});

const iso = (text: string, zone: string) => {
  const moment = readMoment(text, zone);
  return typeof moment === "number" ? new Date(moment).toISOString() : moment;
};

test("a typed time without a time zone is read in the seller's time zone", () => {
  expect(iso("2026-11-20 15:45", "Asia/Kathmandu")).toBe("2026-11-20T10:00:00.000Z");
  expect(iso("2026-11-20T05:00:30", "America/New_York")).toBe("2026-11-20T10:00:30.000Z");
  expect(iso("2026-07-20T06:00", "America/New_York")).toBe("2026-07-20T10:00:00.000Z");
  expect(iso("2026-11-20T10:00", "UTC")).toBe("2026-11-20T10:00:00.000Z");
  // Half an hour after the clocks went forward.
  expect(iso("2026-03-08T03:30", "America/New_York")).toBe("2026-03-08T07:30:00.000Z");
});

test("a typed time with a time zone, or in Unix seconds, does not depend on the seller's time zone", () => {
  expect(iso("2026-11-20T10:00:00Z", "Asia/Kathmandu")).toBe("2026-11-20T10:00:00.000Z");
  expect(iso("2026-11-20T15:45+05:45", "UTC")).toBe("2026-11-20T10:00:00.000Z");
  expect(iso("1795168800", "Asia/Kathmandu")).toBe("2026-11-20T10:00:00.000Z");
});

test("an empty time is read as no time, and an invalid time is reported", () => {
  expect(readMoment("  ", "UTC")).toBeNull();
  expect(readMoment("yesterday", "UTC")).toBe("unreadable");
  expect(readMoment("2026-13-40 10:00", "UTC")).toBe("unreadable");
});

const NOW = Date.parse("2026-11-20T04:15:00Z");
const SECRET = `whsec_${createHash("sha256").update("examine").digest("base64")}`;
const EVENT = '{"event" : "checkout.succeeded", "reason" : "a/b"}';
const TARGET = "http://localhost:3000/hooks";

async function examined(
  changes: { body?: string; secrets?: string[] },
  text?: string,
  now = NOW,
) {
  const headers = await signDelivery({ id: "a-1", body: EVENT }, [SECRET], NOW);
  const request = readRequest(
    text ?? requestText({ url: TARGET, headers, body: changes.body ?? EVENT }),
  );
  if (!request) throw new Error("the request is unreadable");
  const secrets = changes.secrets ?? [SECRET];
  return examineDelivery({ request, secrets, now, received_at: null, sent: null });
}

test("a delivery that is signed again passes the signature check, even if the pasted body was changed", async () => {
  const body = `${EVENT}\n`;
  const found = await examined({ body, secrets: [`"${SECRET}"`] });
  expect(found.verdict).toBe("explained");
  const later = NOW + 3_600_000;
  const signedAgain = await signWithCurrentTime(found, TARGET, later);
  if (!signedAgain) throw new Error("nothing was signed");
  expect(signedAgain.body).toBe(EVENT);
  const again = await examined({}, requestText(signedAgain), later);
  expect([again.verdict, again.findings]).toEqual(["right", []]);
  expect(JSON.stringify(signedAgain)).not.toContain(SECRET);
});

test("a delivery is not signed again without a valid secret and a body", async () => {
  for (const changes of [{ secrets: [] }, { secrets: ["nonsense!"] }, { body: "" }])
    expect(await signWithCurrentTime(await examined(changes), TARGET, NOW)).toBeNull();
});

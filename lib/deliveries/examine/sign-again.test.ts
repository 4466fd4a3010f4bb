import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { signDelivery } from "#lib/signature.ts";
import { readRequest } from "./read-request.ts";
import { examine } from "./examine.ts";
import { requestText, signAgain } from "./sign-again.ts";

const NOW = Date.parse("2026-11-20T04:15:00Z");
const SECRET = `whsec_${createHash("sha256").update("examine").digest("base64")}`;
const BODY = '{"event" : "checkout.succeeded", "reason" : "a/b"}';
const URL = "http://localhost:3000/hooks";

async function examined(
  changes: { body?: string; secrets?: string[] },
  text?: string,
  now = NOW,
) {
  const headers = await signDelivery({ id: "a-1", body: BODY }, [SECRET], NOW);
  const request = readRequest(
    text ?? requestText({ url: URL, headers, body: changes.body ?? BODY }),
  );
  if (!request) throw new Error("the request is unreadable");
  const secrets = changes.secrets ?? [SECRET];
  return examine({ request, secrets, now, received_at: null, sent: null });
}

test("a delivery that is signed again verifies, even if it did not before", async () => {
  const body = `${BODY}\n`;
  const found = await examined({ body, secrets: [`"${SECRET}"`] });
  expect(found.verdict).toBe("explained");
  const later = NOW + 3_600_000;
  const signedAgain = await signAgain(found, URL, later);
  if (!signedAgain) throw new Error("nothing was signed");
  expect(signedAgain.body).toBe(BODY);
  const again = await examined({}, requestText(signedAgain), later);
  expect([again.verdict, again.findings]).toEqual(["right", []]);
  expect(JSON.stringify(signedAgain)).not.toContain(SECRET);
});

test("signs nothing without a secret or a body", async () => {
  for (const changes of [{ secrets: [] }, { secrets: ["nonsense!"] }, { body: "" }])
    expect(await signAgain(await examined(changes), URL, NOW)).toBeNull();
});

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { signDelivery } from "#lib/signature.ts";
import { readDelivery } from "../reading/rules.ts";
import { examine } from "../rules.ts";
import { requestText, signAnew } from "./rules.ts";

const NOW = Date.parse("2026-11-20T04:15:00Z");
const SECRET = `whsec_${createHash("sha256").update("doctor").digest("base64")}`;
const BODY = '{"event" : "checkout.succeeded", "reason" : "a/b"}';
const URL = "http://localhost:3000/hooks";

async function examined(
  changes: { body?: string; secrets?: string[] },
  text?: string,
  now = NOW,
) {
  const headers = await signDelivery({ id: "a-1", body: BODY }, [SECRET], NOW);
  const came = readDelivery(
    text ?? requestText({ url: URL, headers, body: changes.body ?? BODY }),
  );
  if (!came) throw new Error("it cannot be read");
  const secrets = changes.secrets ?? [SECRET];
  return examine({ came, secrets, now, received_at: null, computed: "", sent: null });
}

test("what is signed anew is read again and right, whatever was wrong with it before", async () => {
  const body = BODY.replace("/", "\\/");
  const found = await examined({ body, secrets: [`"${SECRET}"`] });
  expect(found.verdict).toBe("explained");
  const later = NOW + 3_600_000;
  const anew = await signAnew(found, URL, later);
  if (!anew) throw new Error("nothing was signed");
  expect(anew.body).toBe(BODY);
  const again = await examined({}, requestText(anew), later);
  expect([again.verdict, again.findings]).toEqual(["right", []]);
  expect(JSON.stringify(anew)).not.toContain(SECRET);
});

test("without a secret or a body nothing is signed", async () => {
  for (const changes of [{ secrets: [] }, { secrets: ["nonsense!"] }, { body: "" }])
    expect(await signAnew(await examined(changes), URL, NOW)).toBeNull();
});

import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, test } from "vitest";
import { SNIPPETS } from "./generated/verify-snippets.ts";

type Verify = (
  secrets: string[],
  headers: Record<string, string | undefined>,
  body: string,
) => unknown;

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const secret = newSecret();
const body = JSON.stringify({ event: "checkout.succeeded", reason: "नमस्ते" });

/** The headers of a delivery, signed with one secret, or with two during a rotation. */
function headersOf(secrets: string[], at = new Date(), text = body) {
  const id = "3f1b3b57-7a0c-4a52-9a2f-0d1c5a3f9d11";
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((one) => new Webhook(one).sign(id, at, text)).join(" "),
  };
}

const minutesAway = (minutes: number) => new Date(Date.now() + minutes * 60_000);

describe("the webhook verification snippet for Node.js", () => {
  let verifyDelivery: Verify;
  beforeAll(async () => {
    const { code } = SNIPPETS[0];
    const address = `data:text/javascript,${encodeURIComponent(code)}`;
    ({ verifyDelivery } = (await import(/* @vite-ignore */ address)) as {
      verifyDelivery: Verify;
    });
  });

  test("accepts a genuine delivery, even with two signatures or two secrets", () => {
    const event = JSON.parse(body) as unknown;
    expect(verifyDelivery([secret], headersOf([secret]), body)).toEqual(event);
    expect(verifyDelivery([secret], headersOf([newSecret(), secret]), body)).toEqual(event);
    expect(verifyDelivery([newSecret(), secret], headersOf([secret]), body)).toEqual(event);
    expect(verifyDelivery([secret], headersOf([secret], minutesAway(-4)), body)).toEqual(event);
  });

  test.each<[string, Parameters<Verify>]>([
    ["another secret", [[newSecret()], headersOf([secret]), body]],
    ["no secret", [[], headersOf([secret]), body]],
    ["a changed body", [[secret], headersOf([secret]), body.replace("नम", "मन")]],
    ["an old delivery", [[secret], headersOf([secret], minutesAway(-6)), body]],
    ["a delivery from the future", [[secret], headersOf([secret], minutesAway(6)), body]],
    ["no headers", [[secret], {}, body]],
    ["another id", [[secret], { ...headersOf([secret]), "webhook-id": "other" }, body]],
    [
      "a time that is no number",
      [[secret], { ...headersOf([secret]), "webhook-timestamp": "x" }, body],
    ],
    [
      "a signature of another version",
      [
        [secret],
        {
          ...headersOf([secret]),
          "webhook-signature": headersOf([secret])["webhook-signature"].replace("v1,", "v1a,"),
        },
        body,
      ],
    ],
  ])("refuses %s", (_name, call) => {
    expect(() => verifyDelivery(...call)).toThrow(/Missing|No signature/);
  });
});

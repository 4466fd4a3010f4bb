import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { verifyWebhook, type DuebookError } from "../../clients/typescript/src/duebook.ts";

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const secret = newSecret();
const body = JSON.stringify({ event: "checkout.failed", reason: "नमस्ते" });

/** The headers of a delivery, signed with one secret, or with two during a rotation. */
function headersOf(secrets: string[], at = new Date(), text = body) {
  const id = "3f1b3b57-7a0c-4a52-9a2f-0d1c5a3f9d11";
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((one) => new Webhook(one).sign(id, at, text)).join(" "),
  };
}
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);

test("a genuine delivery is accepted with any supported form of body, headers and secrets", async () => {
  const event = JSON.parse(body) as unknown;
  const headers = headersOf([secret]);
  const bytes = new TextEncoder().encode(body);
  for (const raw of [body, bytes, Buffer.from(body), bytes.buffer])
    expect(await verifyWebhook(raw, headers, secret)).toEqual(event);
  expect(await verifyWebhook(body, new Headers(headers), secret)).toEqual(event);
  expect(await verifyWebhook(body, headersOf([newSecret(), secret]), secret)).toEqual(event);
  expect(await verifyWebhook(body, headers, [newSecret(), secret])).toEqual(event);
  expect(await verifyWebhook(body, headers, secret.slice("whsec_".length))).toEqual(event);
  expect(await verifyWebhook(body, headersOf([secret], ago(290)), secret)).toEqual(event);
  const wide = { tolerance: 3_600 };
  expect(await verifyWebhook(body, headersOf([secret], ago(3_000)), secret, wide)).toEqual(
    event,
  );
});

test.each<[string, string, Parameters<typeof verifyWebhook>]>([
  ["another secret", "wrong_signature", [body, headersOf([secret]), newSecret()]],
  ["no secret", "wrong_signature", [body, headersOf([secret]), []]],
  ["a changed body", "wrong_signature", [`${body} `, headersOf([secret]), secret]],
  [
    "another id",
    "wrong_signature",
    [body, { ...headersOf([secret]), "webhook-id": "other" }, secret],
  ],
  [
    "a moved time",
    "wrong_signature",
    [body, { ...headersOf([secret]), "webhook-timestamp": "1" }, secret],
  ],
  [
    "a signature of another version",
    "wrong_signature",
    [
      body,
      {
        ...headersOf([secret]),
        "webhook-signature": headersOf([secret])["webhook-signature"].replace("v1,", "v1a,"),
      },
      secret,
    ],
  ],
  ["no headers", "wrong_signature", [body, {}, secret]],
  ["an old delivery", "wrong_time", [body, headersOf([secret], ago(310)), secret]],
  ["a delivery from the future", "wrong_time", [body, headersOf([secret], ago(-310)), secret]],
  ["a body that is no event", "unreadable", ["[]", headersOf([secret], ago(0), "[]"), secret]],
  ["a secret that is not base64", "usage", [body, headersOf([secret]), "not base64 at all"]],
  ["an empty secret", "usage", [body, headersOf([secret]), "whsec_"]],
])("a webhook verification with %s is refused", async (_name, code, call) => {
  const error: unknown = await verifyWebhook(...call).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "DuebookError", code });
  expect((error as DuebookError).message).not.toContain("not base64 at all");
});

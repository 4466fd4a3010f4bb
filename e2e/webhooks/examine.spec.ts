import { createHmac } from "node:crypto";
import type { Page, Request } from "@playwright/test";
import { answerWith, Endpoint, type ReceivedRequest } from "../../service/testing/endpoint.ts";
import { expectInteractive, pressKeys, tabTo } from "../support/keyboard.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, signIn, test as base } from "../support/seller.ts";
import {
  expectNoOverflow,
  expectAccessible,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";

const test = base.extend<{ endpoint: Endpoint }>({
  endpoint: async ({}, use) => {
    const endpoint = await Endpoint.listen();
    await use(endpoint);
    await endpoint.close();
  },
});
test.describe.configure({ mode: "parallel" });

const EVENT = "checkout.failed";

/** @returns the secret; leaves the page at the delivery */
async function sendExample(page: Page, url: string): Promise<string> {
  await page.goto(`${duebookUrl()}/settings/webhooks`);
  await page.getByRole("button", { name: "Add URL" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a URL" });
  await dialog.getByLabel("URL").fill(url);
  for (const box of await dialog.getByRole("checkbox").all())
    await box.setChecked((await box.getAttribute("value")) === EVENT);
  await dialog.getByRole("button", { name: "Register" }).click();
  const shown = dialog.getByLabel(EVENT, { exact: true });
  await expect(shown).toHaveValue(/^whsec_/);
  const secret = await shown.inputValue();
  await dialog.getByRole("button", { name: "Done" }).click();
  const row = page
    .getByRole("region", { name: url, exact: true })
    .getByRole("listitem")
    .filter({ hasText: EVENT });
  await row.locator("summary").click();
  await row.getByRole("button", { name: "Send example" }).click();
  await row.getByRole("link", { name: "See the delivery" }).click();
  await expect(page.getByRole("heading", { name: EVENT })).toBeVisible();
  return secret;
}

const NAMES = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/** The raw request, as a server would log it. */
const rawOf = ({ headers, body }: Pick<ReceivedRequest, "headers" | "body">) =>
  [
    ...NAMES.flatMap((name) => (headers[name] ? [`${name}: ${headers[name]}`] : [])),
    "",
    body,
  ].join("\n");

const delivery = (page: Page) => visibleField(page, "Request as received");
const secretField = (page: Page) => visibleField(page, "Signing secret that your program uses");
const found = (page: Page) => page.getByRole("region", { name: "Findings" });

/** Presses Shift+Tab from the focused result back to the target. */
async function backTo(page: Page, target: ReturnType<typeof delivery>) {
  await expectInteractive(page, target);
  for (let presses = 0; presses < 40; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Shift+Tab");
  }
  throw new Error("the keyboard does not reach it");
}

async function type(page: Page, text: string) {
  await pressKeys(page, "ControlOrMeta+a", "Backspace");
  await page.keyboard.insertText(text);
}

test("the signature check explains each fault of a changed delivery, by keyboard alone", async ({
  page,
  endpoint,
}) => {
  await signIn(page);
  const secret = await sendExample(page, endpoint.url);
  await expect.poll(() => endpoint.arrivals.length).toBe(1);
  const [arrival] = endpoint.arrivals;
  if (!arrival) throw new Error("nothing arrived");
  const { headers, body } = arrival;
  const [id = "", timestamp = ""] = NAMES.map((name) => headers[name] ?? "");

  const sent: Request[] = [];
  page.on("request", (request) => sent.push(request));
  await page.goto(`${duebookUrl()}/settings/webhooks/deliveries/examine`);
  await tabTo(page, delivery(page));

  const examine = async (raw: string, used = secret) => {
    await backTo(page, delivery(page));
    await type(page, raw);
    await tabTo(page, secretField(page));
    await type(page, used);
    await pressKeys(page, "Enter");
    await expect(page.getByRole("heading", { name: "Step by step" })).toBeVisible();
  };

  await examine(rawOf(arrival));
  await expect(page.getByRole("group", { name: "The signature is valid." })).toBeFocused();
  await expect(found(page)).toHaveCount(0);
  await expectAccessible(page, "right");

  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const made = (text: string, by: Buffer | string = key, algorithm = "sha256") =>
    createHmac(algorithm, by).update(text);
  const signed = `${id}.${timestamp}.${body}`;
  const signature = (text: string) =>
    rawOf({ headers: { ...headers, "webhook-signature": text }, body });
  const withHeader = (name: string, value: string) =>
    rawOf({ headers: { ...headers, [name]: value }, body });
  const withBody = (text: string) => rawOf({ headers, body: text });
  const faults: [words: string, raw: string, used?: string][] = [
    [
      "instead of the bytes they encode",
      signature(`v1,${made(signed, secret).digest("base64")}`),
    ],
    ["The secret is in quotes", rawOf(arrival), `"${secret}"`],
    ["The secret contains spaces or line breaks", rawOf(arrival), ` ${secret} `],
    [
      "This is the wrong secret",
      rawOf(arrival),
      `whsec_${Buffer.alloc(32, 1).toString("base64")}`,
    ],
    [
      "The body was parsed and written again",
      withBody(JSON.stringify(JSON.parse(body), null, 2)),
    ],
    ["A line break or space at the start or end of the body was added", withBody(`${body}\n`)],
    ["The body is truncated", withBody(body.slice(0, 80))],
    [
      "The id and the timestamp are swapped",
      rawOf({
        headers: { ...headers, "webhook-id": timestamp, "webhook-timestamp": id },
        body,
      }),
    ],
    [
      "The timestamp is not in whole seconds",
      withHeader("webhook-timestamp", `${timestamp}000`),
    ],
    ["in hex instead of base64", signature(`v1,${made(signed).digest("hex")}`)],
    [
      "uses sha1 instead of sha256",
      signature(`v1,${made(signed, key, "sha1").digest("base64")}`),
    ],
    [
      "covers body instead of id.timestamp.body",
      signature(`v1,${made(body).digest("base64")}`),
    ],
    [
      "has 2 signatures; number 2 matches",
      signature(`v1,${made("x").digest("base64")} ${headers["webhook-signature"]}`),
    ],
    ["arrived as X-Webhook-Id", rawOf(arrival).replace("webhook-id:", "X-Webhook-Id:")],
    [
      "The header webhook-signature is missing",
      rawOf({ headers: { ...headers, "webhook-signature": "" }, body }),
    ],
  ];
  for (const [words, raw, used] of faults) {
    await examine(raw, used);
    await expect(found(page), words).toContainText(words);
  }

  await examine(withHeader("webhook-timestamp", `${timestamp}000`));
  await expect(page.getByRole("region", { name: "Step by step" })).toContainText(
    `The timestamp ${timestamp}000 is not a number of seconds.`,
  );

  await examine(withBody(JSON.stringify(JSON.parse(body), null, 2)));
  await expect(found(page).locator("ins, del").first()).toBeVisible();
  await expectAccessible(page, "found");
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectNoOverflow(page, "found on a phone");
  await page.setViewportSize({ width: 1280, height: 720 });

  // The command that sends the delivery again contains a new signature, and not the secret.
  await examine(rawOf(arrival));
  await tabTo(page, page.getByRole("button", { name: "Copy as curl" }));
  const command = page
    .getByRole("region", { name: "Send it again, newly signed" })
    .locator("pre");
  await expect(command).toContainText(/^curl -X POST/);
  await expect(command).toContainText("webhook-signature: v1,");
  await expect(command).not.toContainText(secret.slice("whsec_".length));

  const bare = secret.slice("whsec_".length);
  const requests = sent.map((request) =>
    decodeURIComponent(request.url() + (request.postData() ?? "").replaceAll("%", "%25")),
  );
  expect(requests.filter((text) => text.includes(bare) || text.includes(body))).toEqual([]);
});

test("the signature check opens with a sent delivery, compares its attempts, and marks what was edited", async ({
  page,
  endpoint,
}) => {
  endpoint.answer = answerWith(503);
  await signIn(page);
  const secret = await sendExample(page, endpoint.url);
  await expect(visibleText(page, "Attempt 1", { exact: true })).toBeVisible();
  endpoint.answer = answerWith(204);
  await page.getByRole("button", { name: "Resend", exact: true }).click();
  await expect(visibleText(page, "Attempt 2", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Examine", exact: true }).click();
  await expect(delivery(page)).toHaveValue(/^POST http:\/\/127/);

  const compared = page.getByRole("region", { name: "Compare two attempts" });
  await expect(compared).toContainText("webhook-timestamp");
  await expect(compared.getByText("503", { exact: true })).toBeVisible();
  await expect(compared.getByText("204", { exact: true })).toBeVisible();
  await expect(compared.getByText("Differs").first()).toBeVisible();
  await expectAccessible(page, "attempts");

  await secretField(page).fill(secret);
  await secretField(page).press("Enter");
  await expect(page.getByRole("group", { name: "The signature is valid." })).toBeVisible();

  // A changed body is explained by comparing it with the one that was sent.
  const raw = await delivery(page).inputValue();
  await delivery(page).fill(raw.replace("example", "changed"));
  await page.getByRole("button", { name: "Examine" }).click();
  await expect(found(page)).toContainText("The body is not the one that was sent.");
  await expect(found(page).locator("del")).toContainText("changed");

  await page.setViewportSize(PHONE_VIEWPORT);
  await expectNoOverflow(page, "attempts on a phone");
});

import { createHmac } from "node:crypto";
import type { Page, Request } from "@playwright/test";
import { answering, Endpoint, type Arrival } from "../../service/testing/endpoint.ts";
import { expectAtWork, press, tabTo } from "../support/press.ts";
import { seenField, seenText } from "../support/seen.ts";
import { duebookUrl, expect, signIn, test as base } from "../support/seller.ts";
import { expectNoOverflow, expectWithinReach, PHONE } from "../support/within-reach.ts";

const test = base.extend<{ endpoint: Endpoint }>({
  endpoint: async ({}, use) => {
    const endpoint = await Endpoint.listen();
    await use(endpoint);
    await endpoint.close();
  },
});
test.describe.configure({ mode: "parallel" });

const EVENT = "checkout.failed";

/** @returns its secret; the page shows the example's delivery then */
async function sendExample(page: Page, url: string): Promise<string> {
  await page.goto(`${duebookUrl()}/settings/webhooks`);
  await page.getByRole("button", { name: "Add address" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an address" });
  await dialog.getByLabel("Address").fill(url);
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
  await row.getByRole("link", { name: "See how it arrived" }).click();
  await expect(page.getByRole("heading", { name: EVENT })).toBeVisible();
  return secret;
}

const NAMES = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/** As a server would log it. */
const rawOf = ({ headers, body }: Pick<Arrival, "headers" | "body">) =>
  [
    ...NAMES.flatMap((name) => (headers[name] ? [`${name}: ${headers[name]}`] : [])),
    "",
    body,
  ].join("\n");

const delivery = (page: Page) => seenField(page, "Delivery as it was received");
const secretField = (page: Page) => seenField(page, "Signing secret that your program uses");
const found = (page: Page) => page.getByRole("region", { name: "What was found" });

/** Backwards, from what the examination put the focus on. */
async function backTo(page: Page, target: ReturnType<typeof delivery>) {
  await expectAtWork(page, target);
  for (let presses = 0; presses < 40; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Shift+Tab");
  }
  throw new Error("the keyboard does not get there");
}

async function type(page: Page, text: string) {
  await press(page, "ControlOrMeta+a", "Backspace");
  await page.keyboard.insertText(text);
}

test("a real delivery is examined, and each way of breaking it is named, by keyboard alone", async ({
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
    await press(page, "Enter");
    await expect(page.getByRole("heading", { name: "Step by step" })).toBeVisible();
  };

  await examine(rawOf(arrival));
  await expect(page.getByRole("group", { name: "The signature is right." })).toBeFocused();
  await expect(found(page)).toHaveCount(0);
  await expectWithinReach(page, "right");

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
      "not with the bytes that they stand for",
      signature(`v1,${made(signed, secret).digest("base64")}`),
    ],
    ["There are quotes around the secret", rawOf(arrival), `"${secret}"`],
    ["There are spaces or line breaks in the secret", rawOf(arrival), ` ${secret} `],
    [
      "The secret is not the one that signed this delivery",
      rawOf(arrival),
      `whsec_${Buffer.alloc(32, 1).toString("base64")}`,
    ],
    ["The body was spaced otherwise", withBody(JSON.stringify(JSON.parse(body), null, 2))],
    ["A line break or space at the edge of the body", withBody(`${body}\n`)],
    ["The body is cut off", withBody(body.slice(0, 80))],
    [
      "The id and the timestamp have changed places",
      rawOf({
        headers: { ...headers, "webhook-id": timestamp, "webhook-timestamp": id },
        body,
      }),
    ],
    [
      "The timestamp is not in whole seconds",
      withHeader("webhook-timestamp", `${timestamp}000`),
    ],
    ["written in hex instead of base64", signature(`v1,${made(signed).digest("hex")}`)],
    [
      "made with sha1 instead of sha256",
      signature(`v1,${made(signed, key, "sha1").digest("base64")}`),
    ],
    [
      "made over body, not over id.timestamp.body",
      signature(`v1,${made(body).digest("base64")}`),
    ],
    [
      "It bears 2 signatures, and number 2 fits",
      signature(`v1,${made("x").digest("base64")} ${headers["webhook-signature"]}`),
    ],
    [
      "arrived under the name X-Webhook-Id",
      rawOf(arrival).replace("webhook-id:", "X-Webhook-Id:"),
    ],
    [
      "The header webhook-signature is missing",
      rawOf({ headers: { ...headers, "webhook-signature": "" }, body }),
    ],
  ];
  for (const [words, raw, used] of faults) {
    await examine(raw, used);
    await expect(found(page), words).toContainText(words);
  }

  await examine(withBody(JSON.stringify(JSON.parse(body), null, 2)));
  await expect(found(page).locator("ins, del").first()).toBeVisible();
  await expectWithinReach(page, "found");
  await page.setViewportSize(PHONE);
  await expectNoOverflow(page, "found on a phone");
  await page.setViewportSize({ width: 1280, height: 720 });

  // What is signed anew is taken as a real one is.
  await tabTo(page, page.getByRole("button", { name: "Copy as curl" }));
  const command = await page
    .getByRole("region", { name: "Repeat it, signed anew" })
    .locator("pre")
    .textContent();
  await examine(command ?? "");
  await expect(page.getByRole("group", { name: "The signature is right." })).toBeVisible();

  const bare = secret.slice("whsec_".length);
  const told = sent.map((request) =>
    decodeURIComponent(request.url() + (request.postData() ?? "").replaceAll("%", "%25")),
  );
  expect(told.filter((text) => text.includes(bare) || text.includes(body))).toEqual([]);
});

test("a delivery of the log is picked, its attempts are compared, and what was changed since is shown", async ({
  page,
  endpoint,
}) => {
  endpoint.answer = answering(503);
  await signIn(page);
  const secret = await sendExample(page, endpoint.url);
  await expect(seenText(page, "Attempt 1", { exact: true })).toBeVisible();
  endpoint.answer = answering(204);
  await page.getByRole("button", { name: "Resend" }).click();
  await expect(seenText(page, "Attempt 2", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Look at it with the doctor" }).click();
  await expect(delivery(page)).toHaveValue(/^POST http:\/\/127/);

  const compared = page.getByRole("region", { name: "Two attempts side by side" });
  await expect(compared).toContainText("webhook-timestamp");
  await expect(compared.getByText("503", { exact: true })).toBeVisible();
  await expect(compared.getByText("204", { exact: true })).toBeVisible();
  await expect(compared.getByText("Differs").first()).toBeVisible();
  await expectWithinReach(page, "attempts");

  await secretField(page).fill(secret);
  await secretField(page).press("Enter");
  await expect(page.getByRole("group", { name: "The signature is right." })).toBeVisible();

  // Something that no spelling explains is told by comparing it with what was sent.
  const raw = await delivery(page).inputValue();
  await delivery(page).fill(raw.replace("example", "changed"));
  await page.getByRole("button", { name: "Examine" }).click();
  await expect(found(page)).toContainText("The body is not the one that was sent.");
  await expect(found(page).locator("del")).toContainText("changed");

  await page.setViewportSize(PHONE);
  await expectNoOverflow(page, "attempts on a phone");
});

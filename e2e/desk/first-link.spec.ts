import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { startFaultProxy } from "#tools/testing/servers/fault-proxy.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { freePorts, startCommand } from "../support/command.ts";
import { tabTo } from "../support/keyboard.ts";
import { startOwnProduct } from "../support/own-product.ts";
import { newPerson } from "../support/person.ts";
import { productOfWorker } from "../support/product.ts";
import { billingUrl, duebookUrl, expect, test, type Buyer } from "../support/seller.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

/** A way to use the page; counts actions besides typing. */
interface Hand {
  presses: number;
  press: (page: Page, target: Locator) => Promise<void>;
  fill: (page: Page, target: Locator, text: string) => Promise<void>;
}

const mouse = (): Hand => {
  const hand: Hand = {
    presses: 0,
    press: async (_page, target) => {
      await target.click();
      hand.presses += 1;
    },
    fill: async (page, target, text) => {
      await hand.press(page, target);
      await page.keyboard.insertText(text);
    },
  };
  return hand;
};

const keyboard = (): Hand => {
  const hand: Hand = {
    presses: 0,
    press: async (page, target) => {
      hand.presses += (await tabTo(page, target)) + 1;
      await page.keyboard.press("Enter");
    },
    fill: async (page, target, text) => {
      hand.presses += await tabTo(page, target);
      await page.keyboard.insertText(text);
    },
  };
  return hand;
};

const PRODUCT = "Buffalo milk, 1 litre";

async function signUp(page: Page, { press, fill }: Hand, url: string) {
  const person = newPerson("Asha Gurung");
  await page.goto(`${url}/sign-up`);
  await fill(page, visibleField(page, "Your name"), person.name);
  await fill(page, visibleField(page, "Email"), person.email);
  await fill(page, visibleField(page, "Password", { exact: true }), person.password);
  await press(page, page.getByRole("button", { name: "Create the account" }));
  await expect(page).toHaveURL(/\/welcome$/);
  await fill(page, visibleField(page, "Name"), "Phewa Dairy");
  await press(page, page.getByRole("button", { name: "Continue" }));
}

/** Goes from the first page of a new business to the checkout link of its first subscription. */
async function sellFirst(page: Page, { press, fill }: Hand, buyer: Buyer): Promise<string> {
  await expect(visibleText(page, "Get ready to take payments")).toBeVisible();
  await press(page, page.getByRole("link", { name: /^Add your first product/ }));
  await fill(page, visibleField(page, "Name"), PRODUCT);
  await fill(page, visibleField(page, /^Price/), "1200");
  await press(page, page.getByRole("button", { name: "Add product" }));
  await expect(visibleText(page, `${PRODUCT} is on sale.`)).toBeVisible();
  await press(page, page.getByRole("link", { name: "Create a subscription" }));
  await expect(page.getByRole("button", { name: "Create and get the link" })).toBeEnabled();
  await fill(page, visibleField(page, "Phone"), buyer.phone);
  await fill(page, visibleField(page, "Full name"), buyer.full_name);
  await fill(page, visibleField(page, "Email"), buyer.email);
  await fill(page, visibleField(page, "Address", { exact: true }), buyer.address);
  await press(page, page.getByRole("button", { name: "Create and get the link" }));
  await expect(visibleText(page, "Waiting for payment")).toBeVisible();
  return page.getByRole("textbox", { name: "Checkout link" }).inputValue();
}

async function pay(checkout: Page, { press, fill }: Hand, link: string) {
  await checkout.goto(link);
  await press(checkout, checkout.getByRole("button", { name: "Send me a code" }));
  const code = await checkout.locator(".sandbox strong").innerText();
  await fill(checkout, checkout.getByLabel(/One-time code/), code);
  await press(checkout, checkout.getByRole("button", { name: /^Pay NPR/ }));
  await press(checkout, checkout.getByRole("button", { name: "Approve" }));
  await expect(checkout.getByText("Payment received")).toBeVisible();
}

/** Goes from sign-up to a paid subscription; prints the actions and seconds. */
async function sellAndBePaid(page: Page, hand: Hand, { url, buyer, how }: Journey) {
  const began = performance.now();
  await signUp(page, hand, url);
  await expect(page).toHaveURL(/\/[0-9a-f]{10}\/test$/);
  const link = await sellFirst(page, hand, buyer);
  const [presses, linkAfter] = [hand.presses, performance.now() - began];
  const checkout = await page.context().newPage();
  await pay(checkout, hand, link);
  await expect(visibleText(page, "Paid. The subscription is active.")).toBeVisible();
  const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1);
  console.log(
    `${how}: the link after ${presses} presses and ${seconds(linkAfter)} s, paid after ${hand.presses} presses and ${seconds(performance.now() - began)} s`,
  );
}

interface Journey {
  url: string;
  buyer: Buyer;
  how: string;
}

const HANDS = [
  ["by mouse", mouse],
  ["by keyboard alone", keyboard],
] as const;

for (const [name, hold] of HANDS)
  test(`a new person gets from sign-up to a paid test subscription ${name}`, async ({
    page,
    buyer,
  }) => {
    await sellAndBePaid(page, hold(), { url: duebookUrl(), buyer, how: name });
  });

for (const [name, hold] of HANDS)
  test(`the first person of an empty installation gets a paid test subscription ${name}`, async ({
    page,
    buyer,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), "duebook-empty-"));
    const [port = 0, servicePort = 0] = await freePorts(2);
    const began = performance.now();
    const installation = startCommand("up.ts", {
      PORT: String(port),
      SERVICE_PORT: String(servicePort),
      DATA_DIR: folder,
      DEMONSTRATION: "off",
    });
    try {
      await installation.printed("Duebook is ready.");
      const started = ((performance.now() - began) / 1_000).toFixed(1);
      const url = `http://localhost:${port}`;
      await sellAndBePaid(page, hold(), {
        url,
        buyer,
        how: `an empty database, started in ${started} s, ${name}`,
      });
    } finally {
      await installation.stop("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    }
  });

test("if the service does not answer at sign-up, a button opens the billing account later", async ({
  page,
  buyer,
}) => {
  const proxy = await startFaultProxy(billingUrl());
  const secrets = JSON.parse(
    await readFile(join(productOfWorker().dataDirectory, "secrets.json"), "utf8"),
  ) as Record<string, string>;
  const own = await startOwnProduct({
    BILLING_SANDBOX_API_URL: proxy.url,
    BILLING_SANDBOX_ACCOUNTS_TOKEN: secrets["SERVICE_ACCOUNTS_TOKEN"] ?? "",
    DEMONSTRATION: "off",
  });
  const hand = mouse();
  const openings = () => proxy.passed.filter(({ path }) => path.endsWith("/accounts/")).length;
  try {
    // The account is opened, but the answer is lost.
    proxy.fault = { name: "reset_after", strikes: ({ path }) => path.endsWith("/accounts/") };
    await signUp(page, hand, own.url);
    await expect(page).toHaveURL(/\/settings\/connection\?opening=silent$/);
    await expect(visibleText(page, "The billing service did not answer.")).toBeVisible();
    await expectAccessible(page, "account not opened");
    proxy.fault = { name: "unauthorized" };
    const open = page.getByRole("button", { name: "Open your test account" });
    await open.click();
    await expect(visibleText(page, /does not let this installation open/)).toBeVisible();
    proxy.fault = null;
    await open.click();
    await expect(page).toHaveURL(/\/[0-9a-f]{10}\/test$/);
    expect(openings()).toBe(2);
    await sellFirst(page, hand, buyer);
  } finally {
    await own.stop();
    await proxy.close();
  }
});

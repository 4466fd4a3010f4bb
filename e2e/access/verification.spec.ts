import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { freePorts, startCommand } from "../support/command.ts";
import { newPerson, openBrowserOf, setUpSecondFactor, type Person } from "../support/person.ts";
import { expect, fillBuyer, test } from "../support/seller.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

const PDF = Buffer.from("%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF\n");
const ACCOUNTS_TOKEN = "token-of-the-installation-for-journeys";
const OPERATOR_TOKEN = "token-of-the-operator-for-journeys-0001";

async function signUp(page: Page, url: string, person: Person) {
  await page.goto(`${url}/sign-up`);
  await visibleField(page, "Your name").fill(person.name);
  await visibleField(page, "Email").fill(person.email);
  await visibleField(page, "Password", { exact: true }).fill(person.password);
  await page.getByRole("button", { name: "Create the account" }).click();
  await expect(page).toHaveURL(`${url}/welcome`);
}

async function nameBusiness(page: Page, name: string) {
  await visibleField(page, "Name").fill(name);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/live\/settings\/connection/);
}

async function upload(page: Page, name: string, buffer: Buffer) {
  await visibleField(page, "File", { exact: true }).setInputFiles({
    name,
    mimeType: "application/pdf",
    buffer,
  });
  await page.getByRole("button", { name: "Upload" }).click();
}

test("an operator verifies a business, which then gets its live key and a live payment link", async ({
  page,
  browser,
  buyer,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "duebook-verification-"));
  const [port = 0, servicePort = 0] = await freePorts(2);
  const service = startCommand("service.ts", {
    SERVICE_PORT: String(servicePort),
    SERVICE_MODE: "live",
    SERVICE_ACCOUNTS_TOKEN: ACCOUNTS_TOKEN,
    SERVICE_OPERATOR_TOKEN: OPERATOR_TOKEN,
    DATA_DIR: join(folder, "live"),
  });
  await service.printed("is ready");
  const settings = {
    PORT: String(port),
    DATA_DIR: join(folder, "dashboard"),
    DEMONSTRATION: "off",
    BILLING_API_URL: `http://localhost:${servicePort}`,
    BILLING_ACCOUNTS_TOKEN: ACCOUNTS_TOKEN,
    BILLING_OPERATOR_TOKEN: OPERATOR_TOKEN,
  };
  const dashboard = startCommand("up.ts", settings);
  await dashboard.printed("Duebook is ready.");
  const url = `http://localhost:${port}`;
  const staff = await openBrowserOf(browser);

  try {
    await signUp(page, url, newPerson("Asmita Rai"));
    await nameBusiness(page, "Phewa Dairy");
    await page.getByRole("button", { name: "Open your live account" }).click();
    await page.getByRole("link", { name: "Hand in your documents" }).click();
    await page.getByRole("button", { name: "Send for verification" }).click();
    await expect(visibleField(page, "Registered name")).toHaveAccessibleDescription(
      "This field is required.",
    );
    await expect(visibleText(page, "Add at least one document.")).toBeVisible();
    await visibleField(page, "PAN (9 digits)").fill("12345");
    await page.getByRole("button", { name: "Save details" }).click();
    await expect(visibleText(page, "Enter exactly 9 digits.")).toBeVisible();
    await visibleField(page, "PAN (9 digits)").fill("301234567");
    await page.getByRole("button", { name: "Save details" }).click();
    await expect(visibleText(page, "Details saved.")).toBeVisible();
    await visibleField(page, "Registered name").fill("Phewa Dairy Pvt. Ltd.");
    await visibleField(page, "Address").fill("Lakeside, Pokhara");
    await visibleField(page, "Contact person").fill("Asmita Rai");
    await visibleField(page, "Phone").fill("9800000001");
    await upload(page, "Registration.pdf", Buffer.from("<svg onload=alert(1)>"));
    await expect(visibleText(page, "Upload a PNG or JPEG image or a PDF.")).toBeVisible();
    await upload(page, "Registration.pdf", PDF);
    await expect(visibleText(page, "Registration.pdf")).toBeVisible();
    await page.getByRole("button", { name: "Send for verification" }).click();
    await expect(visibleText(page, "We are checking your documents")).toBeVisible();

    const operator = newPerson("Operator");
    await signUp(staff, url, operator);
    await nameBusiness(staff, "The operator's own business");
    expect((await staff.goto(`${url}/operator`))?.status()).toBe(404);
    const named = startCommand(
      "dashboard-admin.ts",
      { ...settings, NODE_OPTIONS: "--conditions=react-server" },
      ["operator", operator.email, "on"],
    );
    await named.printed("verifies businesses");
    await staff.goto(`${url}/operator`);
    await expect(visibleText(staff, "Turn on two-step verification first")).toBeVisible();
    await staff.getByRole("link", { name: "Open account settings" }).click();
    await setUpSecondFactor(staff, operator);
    await staff.goto(`${url}/operator`);
    await staff.getByRole("link", { name: "Phewa Dairy Pvt. Ltd." }).click();
    await expect(visibleText(staff, "301234567")).toBeVisible();
    const download = staff.waitForEvent("download");
    await staff.getByRole("link", { name: "Registration.pdf" }).click();
    expect((await download).suggestedFilename()).toBe("Registration.pdf");
    await staff.getByRole("button", { name: "Ask for more" }).click();
    await visibleField(staff, "Message to the business").fill("The second page is missing.");
    await staff.getByRole("dialog").getByRole("button", { name: "Ask for more" }).click();
    await expect(visibleText(staff, "Sent back.")).toBeVisible();

    await page.reload();
    await expect(visibleText(page, "The second page is missing.")).toBeVisible();
    await upload(page, "Page 2.pdf", Buffer.concat([PDF, Buffer.from("%%EOF\n")]));
    await expect(visibleText(page, "Page 2.pdf")).toBeVisible();
    await page.getByRole("button", { name: "Send for verification" }).click();
    await expect(visibleText(page, "We are checking your documents")).toBeVisible();

    await staff.reload();
    await staff.getByRole("button", { name: "Verify", exact: true }).click();
    await staff
      .getByRole("dialog")
      .getByRole("button", { name: "Verify", exact: true })
      .click();
    await expect(visibleText(staff, "Verified.", { exact: true })).toBeVisible();

    await page.goto(page.url().replace("/verification", "/connection"));
    await expect(page.getByRole("button", { name: "Test now" })).toBeVisible();

    await page.goto(page.url().replace(/\/settings\/.*/, "/settings/seller"));
    await visibleField(page, "Other ways to pay").fill("In cash at the shop.");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(visibleText(page, "Saved", { exact: true })).toBeVisible();

    await page.goto(page.url().replace(/\/settings\/.*/, "/products/new"));
    await visibleField(page, "Name", { exact: true }).fill("Milk at the door");
    await visibleField(page, "Price (NPR)").fill("1200");
    await page.getByRole("button", { name: "Add product" }).click();
    await page.getByRole("link", { name: "Create a subscription" }).click();
    await fillBuyer(page, buyer);
    await page.getByRole("button", { name: "Create and get the link" }).click();
    const link = await page.getByRole("textbox", { name: "Checkout link" }).inputValue();
    expect(link).toContain(`http://localhost:${servicePort}/pay/`);
    await page.goto(link);
    await expect(page.locator("body")).toContainText("Phewa Dairy");
  } finally {
    // Open pages would send requests to a server that is being stopped.
    for (const open of [page, staff]) await open.goto("about:blank");
    expect(await dashboard.stop()).toBe(0);
    expect(await service.stop()).toBe(0);
    await rm(folder, { recursive: true, force: true });
  }
});

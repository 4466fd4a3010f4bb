import type { Page } from "@playwright/test";
import { visibleField, visibleText } from "../support/visible-text.ts";
import {
  duebookUrl,
  expect,
  fillNewSubscription,
  payForShownSubscription,
  productSearch,
  signIn,
  test,
} from "../support/seller.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";

const CREATE = "Create and get the link";

test.beforeEach(async ({ page }) => signIn(page));

const openForm = async (page: Page, query = "") => {
  await page.goto(`${duebookUrl()}/subscriptions/new${query}`);
  await expect(page.getByRole("button", { name: CREATE })).toBeEnabled();
};

const create = (page: Page) => page.getByRole("button", { name: CREATE }).click();

test("a product is searched and chosen by keyboard alone", async ({ page }) => {
  await openForm(page);
  const product = productSearch(page);
  await product.focus();
  await page.keyboard.press("ArrowDown");
  await expect(product).toHaveAttribute("aria-expanded", "true");
  await expectAccessible(page, "open list");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("option")).toHaveCount(0);

  await page.keyboard.type("no such thing");
  await expect(visibleText(page, "No matching product.").first()).toBeVisible();
  await product.fill("milk FRÉSH");
  await expect(page.getByRole("option")).toHaveCount(1);
  await expect(page.getByRole("option")).toContainText("NPR");
  await page.keyboard.press("Enter");
  await expect(product).toHaveValue("Fresh Milk at the Door");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(page.getByRole("radio").first()).toBeChecked();

  await product.fill("something else");
  await page.keyboard.press("Tab");
  await expect(product).toHaveValue("Fresh Milk at the Door");
});

test("a link to a billing period that is not on sale shows a message", async ({ page }) => {
  await openForm(page, "?pbp_id=pbp_of_nobody");
  await expect(
    visibleText(page, "The billing period in this link is not on sale."),
  ).toBeVisible();
});

test("a draft of the form survives a reload, is discarded on request, and is deleted once submitted", async ({
  page,
  shop,
  buyer,
}) => {
  await openForm(page);
  await fillNewSubscription(page, buyer, shop.returnUrl);
  await page.getByRole("button", { name: "Add billing details" }).click();
  await visibleField(page, "PAN/VAT number").fill("०१२ ३४५ ६७८");
  await visibleField(page, "Business name").fill("हिमाल ट्रेडर्स");
  await page.reload();
  await expect(visibleText(page, /Your unsent draft from .* was restored/)).toBeVisible();
  await expect(visibleField(page, "Full name")).toHaveValue(buyer.full_name);
  await expect(visibleField(page, "PAN/VAT number")).toHaveValue("012345678");
  await expect(page.getByRole("radio", { name: /^Monthly/ })).toBeChecked();
  expect(page.url()).not.toContain(buyer.phone);
  await expectAccessible(page, "draft");

  await page.getByRole("button", { name: "Discard" }).click();
  await expect(visibleField(page, "Full name")).toHaveValue("");
  await expect(visibleField(page, "PAN/VAT number")).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("button", { name: CREATE })).toBeEnabled();
  await expect(visibleField(page, "Phone")).toHaveValue("");

  await fillNewSubscription(page, buyer, shop.returnUrl);
  await create(page);
  await expect(visibleText(page, "Waiting for payment")).toBeVisible();
  await openForm(page);
  await expect(visibleField(page, "Phone")).toHaveValue("");
  await expect(visibleField(page, "Page after payment")).toHaveValue(shop.returnUrl);
});

test("a double click creates one subscription, and submitting again updates the unpaid one and lists the changes", async ({
  page,
  shop,
  buyer,
}) => {
  await openForm(page);
  await fillNewSubscription(page, buyer, shop.returnUrl);
  await page.getByRole("button", { name: CREATE }).dblclick();
  await expect(visibleText(page, "Created. Now send this link to the buyer")).toBeVisible();
  const link = await page.getByRole("textbox", { name: "Checkout link" }).inputValue();
  await page.goto(`${duebookUrl()}/subscriptions?status=pending_checkout`);
  await expect(visibleText(page, buyer.phone)).toHaveCount(1);

  await openForm(page);
  await fillNewSubscription(page, { ...buyer, full_name: "Saraswati Rai" }, shop.returnUrl);
  await page
    .getByRole("radio", { name: /^Quarterly|^Yearly/ })
    .first()
    .check();
  await create(page);
  await expect(visibleText(page, "No second subscription was created.")).toBeVisible();
  expect(await page.getByRole("textbox", { name: "Checkout link" }).inputValue()).toBe(link);
  const changes = page.locator('dl[aria-label="What changed"]');
  await expect(changes).toContainText("Monthly");
  await expect(changes).toContainText("Saraswati Rai");
  await expect(changes).not.toContainText(buyer.email);
  await expectAccessible(page, "reuse");
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "reuse on a phone");
});

test("an error of a field in a collapsed section expands the section", async ({
  page,
  shop,
  buyer,
}) => {
  await openForm(page);
  await fillNewSubscription(page, buyer, shop.returnUrl);
  // Stands in for another service: Duebook's own does not require this field.
  await page.route("**/subscriptions/new", async (route) => {
    const response = await route.fetch();
    const fields = '{"client.billing.billing_pan_vat":["A PAN is needed here."]}';
    const refusal = `{"ok":false,"failure":{"kind":"validation","detail":null,"fields":${fields}}}`;
    const body = (await response.text()).replace(/\{"ok":true,.*\}/, refusal);
    await route.fulfill({ response, body });
  });
  await create(page);
  const pan = visibleField(page, "PAN/VAT number");
  await expect(pan).toHaveAccessibleDescription("A PAN is needed here.");
  const summary = page.getByRole("main").getByRole("alert");
  await expect(summary).toBeFocused();
  await summary.getByRole("link", { name: "PAN/VAT number" }).click();
  await expect(pan).toBeFocused();
});

test("a PAN/VAT number without nine digits is reported at its field, and the error summary links to the field", async ({
  page,
  shop,
  buyer,
}) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  await openForm(page);
  await fillNewSubscription(page, buyer, shop.returnUrl);
  await page.getByRole("button", { name: "Add billing details" }).click();
  await visibleField(page, "Business name").fill("Himal Traders");
  await visibleField(page, "PAN/VAT number").fill("12345");
  await visibleField(page, "Billing email").fill("accounts@example.com");
  await visibleField(page, "Billing address").fill("Thamel");
  await create(page);
  const summary = page.getByRole("main").getByRole("alert");
  await expect(summary).toBeFocused();
  await summary.getByRole("link", { name: "PAN/VAT number" }).click();
  const pan = visibleField(page, "PAN/VAT number");
  await expect(pan).toBeFocused();
  await expect(pan).toHaveAccessibleDescription("Enter exactly 9 digits.");
  await expectAccessible(page, "problems on a phone");
  await pan.fill("000000001");
  await create(page);
  await expect(visibleText(page, "Waiting for payment")).toBeVisible();
  await expect(visibleText(page, "000000001")).toBeVisible();
});

test("a known phone fills in the customer's details, and the error about a second active subscription links to the first", async ({
  page,
  request,
  shop,
  buyer,
}) => {
  await openForm(page);
  await visibleField(page, "Phone").fill(buyer.phone);
  await expect(visibleText(page, "New customer: nobody has this number yet.")).toBeVisible();
  await fillNewSubscription(page, buyer, shop.returnUrl);
  await create(page);
  await payForShownSubscription(page, request);
  const existing = page.url().replace(/\?.*/, "");

  await openForm(page);
  await visibleField(page, "Email").fill("typed@example.com");
  await visibleField(page, "Phone").fill(`+977 ${buyer.phone}`);
  await expect(visibleField(page, "Full name")).toHaveValue(buyer.full_name);
  await expect(visibleField(page, "Address", { exact: true })).toHaveValue(buyer.address);
  await expect(visibleField(page, "Email")).toHaveValue("typed@example.com");
  await expectAccessible(page, "known customer");
  // The details are removed with the phone number they belong to.
  await visibleField(page, "Phone").fill(`98${buyer.phone.slice(2)}`);
  await expect(visibleField(page, "Full name")).toHaveValue("");
  await expect(visibleField(page, "Email")).toHaveValue("typed@example.com");
  await visibleField(page, "Phone").fill(buyer.phone);
  await expect(visibleField(page, "Full name")).toHaveValue(buyer.full_name);
  const customer = await page.getByRole("link", { name: buyer.full_name }).getAttribute("href");

  await fillNewSubscription(page, buyer, shop.returnUrl);
  await expect(
    visibleText(page, "so the billing service will refuse another one"),
  ).toBeVisible();
  await create(page);
  const summary = page.getByRole("main").getByRole("alert");
  await expect(summary).toContainText("already");
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "duplicate on a phone");
  await summary.getByRole("link", { name: /^Open the active subscription/ }).click();
  await expect(page).toHaveURL(existing);

  await page.goto(`${duebookUrl()}/subscriptions/new?customer=${customer?.split("/").at(-1)}`);
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(visibleField(page, "Phone")).toHaveValue(buyer.phone);
  await expect(visibleField(page, "Address", { exact: true })).toHaveValue(buyer.address);

  const forCustomer = page.url();
  await openForm(page);
  await visibleField(page, "Full name").fill("Somebody else");
  await page.goto(forCustomer);
  await expect(visibleField(page, "Address", { exact: true })).toHaveValue(buyer.address);
  await page.getByRole("button", { name: "Restore draft" }).click();
  await expect(visibleField(page, "Full name")).toHaveValue("Somebody else");
  for (const label of ["Phone", "Email", "Address"])
    await expect(visibleField(page, label, { exact: true })).toHaveValue("");
});

test("a subscription is created even when customers cannot be looked up", async ({
  page,
  shop,
  buyer,
}) => {
  await page.route("**/customers/**", (route) => route.abort());
  await openForm(page, "?customer=1");
  await fillNewSubscription(page, buyer, shop.returnUrl);
  await expect(visibleText(page, "Customers cannot be searched right now.")).toBeVisible();
  await create(page);
  await expect(visibleText(page, "Waiting for payment")).toBeVisible();
});

test("a message template without the link placeholder is refused, and a valid template is used", async ({
  page,
  shop,
  buyer,
}) => {
  const settings = page.url().replace(/subscriptions$/, "settings/messages");
  await page.goto(settings);
  const form = page.getByRole("form", { name: "First payment" });
  const text = form.getByLabel("In English");
  const ours = await text.inputValue();
  await expect(form.getByRole("button", { name: "Save" })).toBeEnabled();
  await text.fill("नमस्ते {nmae} जी");
  await expect(text).toHaveAccessibleDescription(/\{nmae\} is not a valid placeholder/);
  await text.fill("नमस्ते {name} जी, ");
  await expect(text).toHaveAccessibleDescription(/Add \{link\}/);
  await expectAccessible(page, "a text without its link");
  await form.getByRole("button", { name: "{link}" }).click();
  await expect(form.getByRole("figure").first()).toContainText(
    "नमस्ते Saraswati Rai जी, https://",
  );
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByText("Saved")).toBeVisible();
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "texts on a phone");

  await openForm(page);
  await fillNewSubscription(page, buyer, shop.returnUrl);
  await create(page);
  const link = await page.getByRole("textbox", { name: "Checkout link" }).inputValue();
  await page.getByRole("button", { name: "Send" }).click();
  await expect(visibleField(page, "Message")).toHaveValue(
    `नमस्ते ${buyer.full_name} जी, ${link}`,
  );
  await expectAccessible(page, "message on a phone");

  await page.getByRole("link", { name: "Edit template" }).click();
  await form.getByRole("button", { name: "Reset English to default" }).click();
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByText("Saved")).toBeVisible();
  await page.reload();
  await expect(text).toHaveValue(ours);
});

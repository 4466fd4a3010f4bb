import AxeBuilder from "@axe-core/playwright";
import { duebookUrl, expect, fillNewSubscription, payAt, signIn, test } from "./seller.ts";

test.beforeEach(async ({ page }) => signIn(page));

test("the filter and the page are in the address, and going back restores them", async ({
  page,
}) => {
  await page.getByRole("link", { name: /^Due(?!book)/ }).click();
  await expect(page).toHaveURL(/\?status=due$/);
  await expect(page.getByRole("row").nth(1)).toContainText("Due");
  await page.getByRole("link", { name: /^All/ }).click();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(page.getByText(/^21–40 of/)).toBeVisible();
  await page.goBack();
  await expect(page.getByText(/^1–20 of/)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^1–20 of/)).toBeVisible();
});

test("a page beyond the end says so and leads to the first", async ({ page }) => {
  await page.goto(`${duebookUrl()}/subscriptions?page=9999`);
  await page.getByRole("link", { name: /first page|page 1/i }).click();
  await expect(page.getByText(/^1–20 of/)).toBeVisible();
});

test("what is missing is said on its field, and nothing typed is lost", async ({
  page,
  shop,
  buyer,
}) => {
  await page.goto(`${duebookUrl()}/subscriptions/new`);
  await fillNewSubscription(
    page,
    { ...buyer, phone: "12", email: "nowhere" },
    "not an address",
  );
  await page.getByRole("button", { name: "Create and get the link" }).click();
  await expect(page.getByLabel("Phone")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Return address")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Full name")).toHaveValue(buyer.full_name);

  await page.getByLabel("Phone").fill(buyer.phone);
  await page.getByLabel("Email").fill(buyer.email);
  await page.getByLabel("Return address").fill(shop.returnUrl);
  await page.getByRole("button", { name: "Create and get the link" }).dblclick();
  await expect(page.getByText("Waiting for payment")).toBeVisible();
});

test("what is chosen and typed before the page is at work is kept", async ({ page, buyer }) => {
  const gate = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto(`${duebookUrl()}/subscriptions/new`, { waitUntil: "commit" });
  await page.getByLabel("Product").selectOption({ label: "Fresh Milk at the Door" });
  await page.getByLabel("Phone").fill(buyer.phone);
  gate.resolve();
  await page.getByRole("radio", { name: /^One litre/ }).check();
  await expect(page.getByLabel("Phone")).toHaveValue(buyer.phone);
  await page.getByRole("button", { name: "Create and get the link" }).click();
  await expect(page.getByLabel("Full name")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Phone")).not.toHaveAttribute("aria-invalid", "true");
});

test("an active subscription of the same period is refused in words", async ({
  page,
  request,
  shop,
  buyer,
}) => {
  await page.goto(`${duebookUrl()}/subscriptions/new`);
  await fillNewSubscription(page, buyer, shop.returnUrl);
  await page.getByRole("button", { name: "Create and get the link" }).click();
  await payAt(request, await page.getByLabel("Checkout link").inputValue());
  await expect(page.getByText("Paid. The subscription is active.")).toBeVisible();

  await page.goto(`${duebookUrl()}/subscriptions/new`);
  await fillNewSubscription(page, buyer, shop.returnUrl);
  await page.getByRole("button", { name: "Create and get the link" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(/already/);
});

for (const width of [1440, 768, 390])
  for (const colorScheme of ["light", "dark"] as const)
    test(`every page is within everyone's reach at ${width} px, ${colorScheme}`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const records = page.locator('main a[href^="/subscriptions/"]:not([href$="new"])');
      const record = await records.first().getAttribute("href");
      for (const path of [
        "/subscriptions",
        "/subscriptions?status=due",
        "/subscriptions/new",
        record ?? "",
      ]) {
        await page.goto(`${duebookUrl()}${path}`);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        // A page that is not at work yet shows skeletons, or its button faded.
        await expect(page.locator(".skeleton")).toHaveCount(0);
        await expect(page.getByRole("button", { disabled: true })).toHaveCount(0);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [path, id, nodes[0]?.html])).toEqual([]);
      }
    });

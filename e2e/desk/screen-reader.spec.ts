import { duebookUrl, expect, productSearch, signIn, test } from "../support/seller.ts";

test("the accessibility tree of the subscription list and form has the expected names, roles and order", async ({
  page,
}) => {
  await signIn(page);
  await expect(page.locator("[data-row]").first()).toBeVisible();
  await expect(page.locator("body")).toMatchAriaSnapshot(`
    - link "Skip to content"
    - region "Mode"
    - navigation "Main":
      - list:
        - listitem:
          - link "Overview"
    - banner:
      - button /^Business/
      - button "Search or jump to"
      - navigation "Test or live mode":
        - link "Test"
        - link "Live"
    - main:
      - heading "Subscriptions" [level=1]
      - button "Columns"
      - link "New subscription"
      - navigation "Filter by status":
        - list:
          - listitem:
            - link /^All \\d+$/
          - listitem:
            - link /^Active \\d+$/
      - table "Subscriptions":
        - rowgroup:
          - row:
            - columnheader "Select this page":
              - checkbox "Select this page"
            - columnheader "Buyer"
            - columnheader "Phone"
            - columnheader "Product"
            - columnheader "List price"
            - columnheader "Status"
            - columnheader "Next billing"
            - columnheader "Created"
        - rowgroup:
          - row:
            - cell:
              - checkbox /^Select .+/
            - cell:
              - link
      - navigation "Pages":
        - paragraph: /^1–\\d+ of \\d+$/
        - combobox "Rows"
        - link "Next"
  `);

  await page.goto(`${duebookUrl()}/subscriptions/new`);
  await productSearch(page).fill("fresh milk door");
  await expect(page.getByRole("option", { name: /^Fresh Milk at the Door/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: /^One litre/ }).check();
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "New subscription" [level=1]
      - heading "Product and plan" [level=2]
      - combobox "Product": Fresh Milk at the Door
      - group "Plan":
        - radio /^Half a litre/
        - radio /^One litre/ [checked]
      - group:
        - radio /^Monthly/
      - heading "Buyer" [level=2]
      - textbox "Phone"
      - textbox "Full name"
      - textbox "Email"
      - textbox "Address"
      - heading "Billing details" [level=2]
      - button "Add billing details"
      - heading "Shipping" [level=2]
      - button "Add shipping"
      - heading "After the checkout" [level=2]
      - textbox "Page after payment"
      - button "Create and get the link"
  `);
});

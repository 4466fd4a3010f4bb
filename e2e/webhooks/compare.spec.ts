import { openOwnSeller } from "../support/own-seller.ts";
import { inDashboardDatabase } from "../support/person.ts";
import { visibleText } from "../support/visible-text.ts";
import { expect, test } from "../support/seller.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";

const WRONG = "aaaaaaaa-0000-4000-8000-00000000dead";

/** Adds a row to the index that the service does not have. */
async function addWrongRow(seller: string): Promise<void> {
  const record = {
    subscription_id: WRONG,
    status: "due",
    is_active: false,
    client: { phone: "9800000001", full_name: "Nobody There", email: "", address: "" },
    product: {
      product_id: "p",
      name: "Honey",
      plan_name: "Jar",
      pbp_id: "b",
      label: "Monthly",
    },
    created_at: "2026-01-01T00:00:00Z",
  };
  await inDashboardDatabase(
    `insert into mirror_subscription (seller_id, mode, id, status, full_name, name_key, phone,
       phone_key, email, product_id, product_name, plan_name, pbp_id, label, currency, words,
       record, asked_at, read_at)
     select id, 'test', $2, 'due', 'Nobody There', 'nobody there', '9800000001', '9800000001', '',
            'p', 'Honey', 'Jar', 'b', 'Monthly', 'NPR', ''::tsvector, $3, now(), now()
       from seller where code = $1`,
    [seller, WRONG, JSON.stringify(record)],
  );
}

test("comparing the search index with the service shows a wrong row, and rebuilding the index removes the row", async ({
  page,
}) => {
  const { seller } = await openOwnSeller(page, "/settings/connection");
  const card = page.getByRole("region", { name: "Search index", exact: true });
  await expect(card.getByText("Complete", { exact: true })).toBeVisible({ timeout: 40_000 });
  await addWrongRow(seller);

  await card.getByRole("button", { name: "Compare now" }).click();
  await expect(card.getByText("1 subscription differs.")).toBeVisible();
  await expect(
    card.getByText(
      "All rows of the list: 0 at the billing service, 1 in the search index, 1 too many.",
    ),
  ).toBeVisible();
  const record = card.getByRole("link", { name: "Nobody There" });
  await expect(record).toHaveAttribute("href", new RegExp(`/subscriptions/${WRONG}$`));
  await expect(
    card.getByText("is in the search index, but not at the billing service."),
  ).toBeVisible();
  await expectAccessible(page, "a comparison");
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "a comparison on a phone");
  await page.reload();
  await expect(card.getByText("1 subscription differs.")).toBeVisible();

  await card.getByRole("button", { name: "Rebuild" }).click();
  await expect(visibleText(page, "All records are being read again.")).toBeVisible();
  await expect(async () => {
    await card.getByRole("button", { name: "Compare now" }).click();
    await expect(
      card.getByText("All counts of the billing service match the search index."),
    ).toBeVisible({ timeout: 10_000 });
  }).toPass({ timeout: 60_000 });
  await expect(record).toHaveCount(0);
});

import { openOwnSeller } from "../support/own-seller.ts";
import { inDashboardDatabase } from "../support/person.ts";
import { seenText } from "../support/seen.ts";
import { expect, test } from "../support/seller.ts";
import { expectWithinReach, PHONE } from "../support/within-reach.ts";

const WRONG = "aaaaaaaa-0000-4000-8000-00000000dead";

/** What was registered by itself verifies what comes; without its secrets what is unsigned is taken. */
async function forgetSecrets(seller: string) {
  const own = (sql: string) => inDashboardDatabase(sql, [seller]);
  await expect
    .poll(() =>
      own(`select 1 from receiver r join seller s on s.id = r.seller_id
            where s.code = $1 and r.mode = 'test' and r.registered_at is not null`),
    )
    .toHaveLength(1);
  await own(
    "delete from receiver_secret where seller_id = (select id from seller where code = $1)",
  );
}

/** A row that the service never had, as nothing in the program leaves one; and where webhooks go. */
async function spoilCopy(seller: string): Promise<string> {
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
  const [row] = await inDashboardDatabase(
    `with spoiled as (
       insert into mirror_subscription (seller_id, mode, id, status, full_name, name_key, phone,
         phone_key, email, product_id, product_name, plan_name, pbp_id, label, currency, words,
         record, asked_at, read_at)
       select id, 'test', $2, 'due', 'Nobody There', 'nobody there', '9800000001', '9800000001', '',
              'p', 'Honey', 'Jar', 'b', 'Monthly', 'NPR', ''::tsvector, $3, now(), now()
         from seller where code = $1
     )
     select token from receiver m join seller s on s.id = m.seller_id where s.code = $1`,
    [seller, WRONG, JSON.stringify(record)],
  );
  return String(row?.["token"]);
}

test("a copy that went wrong is compared, told in words, put right and compared again", async ({
  page,
  request,
}) => {
  const { seller, home } = await openOwnSeller(page, "/settings/reconciliation");
  await expect(seenText(page, "Nothing has been compared yet")).toBeVisible();
  await forgetSecrets(seller);
  const token = await spoilCopy(seller);
  const hints = `${new URL(home).origin}/api/received/${token}`;
  const body = { event: "subscription.status_changed", subscription_id: "made-up" };
  expect((await request.post(hints, { data: body })).status()).toBe(204);

  await page.getByRole("button", { name: "Compare now" }).click();
  await expect(seenText(page, "1 record does not say the same on both sides.")).toBeVisible();
  await expect(
    seenText(page, "All rows of the list: the service says 0, the copy 1, so 1 more."),
  ).toBeVisible();
  const record = page.getByRole("link", { name: "Nobody There" });
  await expect(record).toHaveAttribute("href", new RegExp(`/subscriptions/${WRONG}$`));
  await expect(
    seenText(page, "is in the copy, but the service does not know it."),
  ).toBeVisible();
  await expect(seenText(page, /^subscription\.status_changed about made-up/)).toBeVisible();
  await expectWithinReach(page, "reconciliation");
  await page.setViewportSize(PHONE);
  await expectWithinReach(page, "reconciliation on a phone");

  await page.getByRole("button", { name: "Read these again" }).click();
  await expect(seenText(page, "1 record was read again and is right now.")).toBeVisible();
  await expect(
    seenText(page, "Every number that the service says is the same in the copy."),
  ).toBeVisible();
  await expect(record).toHaveCount(0);

  await page.reload();
  await expect(seenText(page, "1 record was read again and is right now.")).toBeVisible();
});

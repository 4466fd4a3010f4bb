import type { Page } from "@playwright/test";
import type { ProductCatalogue } from "#lib/products/queries.ts";
import { callActionByName, cookiesOf, sendRequest } from "./intruder.ts";
import { visibleText } from "./visible-text.ts";
import { duebookUrl, expect, signIn, type Buyer } from "./seller.ts";

/**
 * Creates a monthly subscription to a litre of milk as the demonstration's owner. Leaves the page at the
 * new subscription, which waits for its first payment.
 */
export async function createSubscription(page: Page, client: Buyer, return_url: string) {
  await signIn(page);
  const [, seller = ""] = new URL(page.url()).pathname.split("/");
  const cookie = await cookiesOf(page.context());
  const answer = await sendRequest(`/api/${seller}/test/products/catalogue`, { cookie });
  const pbp_id = monthlyLitre((await answer.json()) as ProductCatalogue);
  const input = { pbp_id, return_url, client };
  const scope = { seller, mode: "test" };
  const made = await callActionByName("createSubscriptionAction", seller, [scope, input], {
    cookie,
  });
  if (typeof made === "number" || !made.ok)
    throw new Error(`the subscription was not created: ${JSON.stringify(made)}`);
  const { subscription_id } = made.value as { subscription_id: string };
  await page.goto(`${duebookUrl()}/${seller}/test/subscriptions/${subscription_id}?created=1`);
  // Hidden copies exist while the page streams in.
  await expect(visibleText(page, "Waiting for payment")).toBeVisible();
}

function monthlyLitre({ products }: ProductCatalogue) {
  const milk = products.find(({ name }) => name === "Fresh Milk at the Door");
  const litre = milk?.plan.find(({ plan_name }) => plan_name.startsWith("One litre"));
  return litre?.billing_periods.find(({ label }) => label.startsWith("Monthly"))?.pbp_id;
}

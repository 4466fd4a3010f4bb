"use server";

import { CreateSubscription } from "#contract/subscriptions.ts";
import { sellerAction } from "#lib/auth/seller-action.ts";
import { rememberCheckoutBase } from "#lib/billing/connection.ts";
import { database } from "#lib/db/pool.ts";

export const createSubscriptionAction = sellerAction({
  name: "subscription.create",
  permission: "subscriptions:create",
  input: CreateSubscription,
  run: async ({ billing, seller }, input, note) => {
    note.detail = { pbp_id: input.pbp_id };
    const created = await billing.createSubscription(input);
    note.subscription_id = created.subscription_id;
    await rememberCheckoutBase(database(), { seller_id: seller.id, mode: "test" }, created);
    return { subscription_id: created.subscription_id };
  },
});

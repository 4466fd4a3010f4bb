"use server";

import * as z from "zod";
import { SavePaymentAccount } from "#contract/payment-accounts.ts";
import { Password } from "#lib/auth/credentials/person-fields.ts";
import { confirmRequestPerson } from "#lib/auth/guards/confirm-person.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { requireAccountClient } from "#lib/billing/account.ts";
import { PaymentAccountClient } from "#lib/billing/payment-client.ts";

const Provider = z.string().regex(/^[a-z_]{1,40}$/);

/**
 * Sets up or changes an account at a provider; a secret that is left out stays. The password is
 * needed, because a borrowed session could direct the buyers' money to another account.
 */
export const savePayAccountAction = sellerAction({
  name: "payaccount.save",
  permission: "connection:write",
  input: z.object({
    ...SavePaymentAccount.shape,
    provider: Provider,
    current_password: Password,
  }),
  run: async ({ session, owner }, { provider, current_password, ...body }, note) => {
    const { is_active, identifies_buyer } = body;
    note.detail = { provider, is_active, identifies_buyer };
    if (body.version === null) note.action = "payaccount.create";
    const client = await requireAccountClient(owner, PaymentAccountClient);
    await confirmRequestPerson(session, current_password);
    await client.save(provider, body);
    return null;
  },
});

export const removePayAccountAction = sellerAction({
  name: "payaccount.remove",
  permission: "connection:write",
  input: z.object({ provider: Provider, current_password: Password }),
  run: async ({ session, owner }, { provider, current_password }, note) => {
    note.detail = { provider };
    const client = await requireAccountClient(owner, PaymentAccountClient);
    await confirmRequestPerson(session, current_password);
    await client.remove(provider);
    return null;
  },
});

export const orderPayAccountsAction = sellerAction({
  name: "payaccount.order",
  permission: "connection:write",
  input: z.object({ providers: z.array(Provider).max(50) }),
  run: async ({ owner }, { providers }, note) => {
    note.detail = { providers: providers.join(", ") };
    await (await requireAccountClient(owner, PaymentAccountClient)).order(providers);
    return null;
  },
});

/** Asks the provider whether it accepts the settings; no money moves. */
export const checkPayAccountAction = sellerAction({
  name: "payaccount.check",
  permission: "connection:write",
  input: z.object({ provider: Provider }),
  run: async ({ owner }, { provider }, note) => {
    note.action = null;
    return (await requireAccountClient(owner, PaymentAccountClient)).check(provider);
  },
});

/** Has the service compare the account with its provider, in the background. */
export const comparePayAccountAction = sellerAction({
  name: "payaccount.compare",
  permission: "connection:write",
  input: z.object({ provider: Provider }),
  run: async ({ owner }, { provider }, note) => {
    note.detail = { provider };
    await (await requireAccountClient(owner, PaymentAccountClient)).compare(provider);
    return null;
  },
});

import { beforeEach, describe, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { recordSeenPayments } from "#lib/search-index/sync/store.ts";
import { isPaid } from "#lib/payments/buyer-returns.ts";
import { isDateFromPayment } from "#lib/subscriptions/date-source.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "../testing/fixtures/records-fixture.ts";
import { stubEnvironment } from "../testing/person.ts";
import {
  deliverTo,
  storeReceiverSecret,
  signedRequest,
  checkoutSucceededBody,
  readReceiverToken,
} from "../testing/fixtures/receiver-fixture.ts";

stubEnvironment();
useDashboardDatabase();

const OTHER_SECRET = `whsec_${Buffer.from("another secret of thirty-two bytes").toString("base64")}`;
const paid = makeSubscription();
const id = paid.subscription_id;
let owner: KeyOwner;
let token: string;

beforeEach(async () => {
  owner = await createIndexedSeller(pool, { subscriptions: [paid] });
  token = await readReceiverToken(owner);
  await storeReceiverSecret(owner);
});

const deliver = async (sent: Parameters<typeof signedRequest>[0]) =>
  deliverTo(token, await signedRequest(sent));

describe("the return page of a buyer shows the subscription as paid", () => {
  const copied = (
    status: string,
    current_period_start: string | null = null,
    ends = "2027-02-20T06:15:00Z",
  ) =>
    storeRecords(pool, owner, {
      subscriptions: [
        makeSubscription({
          subscription_id: id,
          status,
          current_period_start,
          current_period_end: ends,
          next_billing_cycle: ends,
        }),
      ],
    });
  const says = () => isPaid(pool, isDateFromPayment, owner.seller_id, id);

  test("as soon as the subscription's record shows the payment", async () => {
    await copied("pending_checkout");
    await expect(says()).resolves.toBe(false);
    await copied("active", "2027-01-20T06:15:00Z");
    await expect(says()).resolves.toBe(true);
  });

  test("when a verified delivery arrives first, but not for a forged delivery", async () => {
    await copied("pending_checkout");
    await deliver({ body: checkoutSucceededBody(id), secret: OTHER_SECRET });
    await expect(says()).resolves.toBe(false);
    await deliver({ id: "true", body: checkoutSucceededBody(id) });
    await expect(says()).resolves.toBe(true);
  });

  test("but not for a due subscription that was rescheduled, until it is paid after that", async () => {
    await copied("due", "2027-01-20T06:15:00Z");
    await expect(says()).resolves.toBe(false);
    await copied("active", "2027-01-20T06:15:00Z", "2027-02-27T06:15:00Z");
    await expect(says()).resolves.toBe(false);
    await copied("due", "2027-01-20T06:15:00Z", "2027-02-27T06:15:00Z");
    await copied("active", "2027-02-27T06:15:00Z", "2027-03-27T06:15:00Z");
    await expect(says()).resolves.toBe(true);
  });

  test("but not for an active subscription without a known payment, such as one rescheduled before it was indexed", async () => {
    await expect(says()).resolves.toBe(false);
  });

  test("but not for a rescheduled date, even if the beginning of its period was paid", async () => {
    const start = new Date(Date.now() - 3_600_000).toISOString();
    await copied("pending_checkout");
    await deliver({ id: "true", body: checkoutSucceededBody(id) });
    await copied("active", start);
    await recordSeenPayments(pool, owner);
    await expect(says()).resolves.toBe(true);
    await copied("due", start);
    await expect(says()).resolves.toBe(false);
    await copied("active", start, "2027-03-01T06:15:00Z");
    await expect(says()).resolves.toBe(false);
  });

  test("for a subscription that ends with its period, and for a one-time purchase, which has no period", async () => {
    await copied("pending_checkout");
    await copied("active", "2027-01-20T06:15:00Z");
    await copied("pending_cancellation", "2027-01-20T06:15:00Z");
    await expect(says()).resolves.toBe(true);
    const once = { current_period_start: null, current_period_end: null };
    const [waiting, bought] = ["pending_checkout", "active"].map((status) =>
      makeSubscription({
        subscription_id: "11111111-2222-4333-8444-555555555555",
        status,
        ...once,
        next_billing_cycle: null,
      }),
    );
    for (const one of [waiting, bought])
      await storeRecords(pool, owner, { subscriptions: one ? [one] : [] });
    await expect(
      isPaid(pool, isDateFromPayment, owner.seller_id, bought?.subscription_id),
    ).resolves.toBe(true);
  });

  test("but not for another seller's subscription or a malformed id", async () => {
    const other = await createIndexedSeller(pool, { subscriptions: [] });
    await copied("active", "2027-01-20T06:15:00Z");
    await expect(isPaid(pool, isDateFromPayment, other.seller_id, id)).resolves.toBe(false);
    for (const odd of [undefined, "", [id], "\0"])
      await expect(isPaid(pool, isDateFromPayment, owner.seller_id, odd)).resolves.toBe(false);
  });
});

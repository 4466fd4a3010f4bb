import {
  continueHistory,
  continuePayments,
  follow,
  Interruption,
  readFeed,
} from "#lib/search-index/sync/follow.ts";
import { continueFullSync, isFullSyncWanted } from "#lib/search-index/sync/full-sync.ts";
import { deleteAnsweredRefreshes } from "#lib/search-index/sync/refresh-queue.ts";
import { recordToldChanges, recordToldPayments } from "#lib/search-index/sync/store.ts";
import { runFollower, syncNewest, type SyncContext } from "#lib/search-index/sync/sync-job.ts";
import { pool } from "./dashboard-database.ts";
import { TEST_SUBSCRIPTION_ID, withSyncContext, type Trial } from "./search-index-queries.ts";
import { ChangingService } from "./servers/changing-service.ts";

const FAR = "2999-01-01T00:00:00Z";

/** A service whose feed says that the owner's record is gone. */
const api = new ChangingService();
api.readChanges = async () => ({
  cursor: "next",
  has_more: false,
  results: [
    {
      kind: "subscription",
      id: TEST_SUBSCRIPTION_ID,
      change: "gone",
      changed_at: FAR,
      subscription: null,
      customer: null,
      product: null,
      payment: null,
      history: [],
    },
  ],
});
const STATE = {
  status: "active",
  pbp_id: "pbp-1",
  price: "1200.00",
  currency: "NPR",
  current_period_start: null,
  next_billing_cycle: null,
};
const CHANGE = {
  id: 1,
  subscription_id: TEST_SUBSCRIPTION_ID,
  recorded_at: "2026-11-01T00:00:00Z",
  before: { ...STATE, status: "pending_checkout" },
  after: STATE,
};
api.listHistory = async () => ({
  since: "2026-01-01T00:00:00Z",
  next: null,
  results: [CHANGE],
});
const PAYMENT = {
  payment_id: "payment-1",
  reference: "",
  subscription_id: TEST_SUBSCRIPTION_ID,
  customer: { id: 1, full_name: "", buyer_phone: "", buyer_email: "" },
  product: { product_id: "", name: "Milk", plan_name: "" },
  amount: "500.00",
  currency: "NPR",
  vat: null,
  fee: "9.95",
  method: "wallet",
  provider_reference: null,
  refunded: "100.00",
  refund_owed: "0.00",
  dispute: null,
  bill_id: null,
  reversed_at: null,
  recorded: null,
  period_start: "2026-11-01T00:00:00Z",
  paid_at: "2026-11-01T00:00:00Z",
};
api.listPayments = async () => ({ next: null, results: [PAYMENT] });
const rest = async () => {};
const ending = (context: SyncContext): SyncContext => ({ ...context, api, isOver: () => true });

/** For every function that walks through lists or follows a feed, a call for a given owner. */
export const FEED_TRIALS: Record<string, Trial> = {
  "refresh-queue.ts deleteAnsweredRefreshes": {
    run: (who) =>
      deleteAnsweredRefreshes(pool, who, "subscriptions", [TEST_SUBSCRIPTION_ID], FAR),
  },
  "sync-job.ts syncNewest": { run: (who) => withSyncContext(who, syncNewest) },
  "full-sync.ts continueFullSync": { run: (who) => withSyncContext(who, continueFullSync) },
  "full-sync.ts isFullSyncWanted": { run: (who) => withSyncContext(who, isFullSyncWanted) },
  "follow.ts readFeed": {
    run: (who) => withSyncContext(who, (context) => readFeed({ ...context, api })),
  },
  "follow.ts continuePayments": {
    run: (who) =>
      withSyncContext(who, (context) =>
        continuePayments({
          ...context,
          api,
          claimed: { ...context.claimed, cursor: "some", paymentsBefore: "" },
        }),
      ),
  },
  "follow.ts continueHistory": {
    run: (who) =>
      withSyncContext(who, (context) =>
        continueHistory({
          ...context,
          api,
          claimed: { ...context.claimed, cursor: "some", historyAfter: 0 },
        }),
      ),
  },
  "store.ts recordToldChanges": {
    run: (who) => recordToldChanges(pool, who, [CHANGE], true),
  },
  "store.ts recordToldPayments": {
    run: (who) => recordToldPayments(pool, who, [PAYMENT], true),
  },
  "follow.ts follow": {
    run: (who) =>
      withSyncContext(who, (context) => follow(ending(context), new Interruption(), rest)),
  },
  "sync-job.ts runFollower": {
    run: (who) =>
      withSyncContext(who, (context) => runFollower(ending(context), new Interruption(), rest)),
  },
};

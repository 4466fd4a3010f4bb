import { repeatWhenWoken, runWokenWorker, type Jobs } from "../../jobs.ts";
import { selectDueRefunds } from "../../refunds/store.ts";
import { paymentContext, type PaymentContext, type PaymentOptions } from "../provider.ts";
import { selectWithoutCharge } from "../store.ts";
import { askAbout } from "./ask.ts";
import { endUnbegun } from "./begin.ts";
import { sendRefund } from "./refund.ts";
import {
  endCutOffCharges,
  nextPaymentDueAt,
  PAYMENTS_CHANNEL,
  selectDueAccounts,
  selectDueCharges,
} from "./store.ts";

const MINUTE = 60_000;
/** The most calls under way at a time for one account of a seller. */
const PER_ACCOUNT = 4;
const BATCH = 50;
/** Milliseconds after which an attempt without a charge ends: nobody was sent anywhere. */
const UNBEGUN_AFTER = 5 * MINUTE;
const MOST_UNBEGUN = 500;

interface WorkerOptions {
  payments: PaymentContext;
  onError?: (error: unknown) => void;
}

/**
 * Asks about charges and makes refunds, each account separately, so that a provider that does not
 * answer delays no other account.
 */
export function createPaymentWorker({ payments, onError = () => {} }: WorkerOptions) {
  const { pool, now } = payments;
  const lanes = new Map<number, Promise<void>>();
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;

  /** The account's due work: questions about charges, and refunds. */
  const selectDue = async (account_id: number) => {
    const due = { account_id, now: now(), limit: BATCH };
    const refunds = await selectDueRefunds(pool, due);
    const charges = await selectDueCharges(pool, due);
    return [
      ...refunds.map((refund) => ({
        key: `refund ${refund.refund_id}`,
        serve: () => sendRefund(payments, refund),
      })),
      ...charges.map((charge) => ({
        key: `charge ${charge.charge_id}`,
        serve: () => askAbout(payments, charge, { ifDue: true }),
      })),
    ];
  };

  const serveAccount = async (account_id: number) => {
    const tried = new Set<string>();
    while (!isClosing) {
      const due = await selectDue(account_id);
      const queue = due.filter(({ key }) => !tried.has(key));
      if (queue.length === 0) return;
      const take = async () => {
        for (let next = queue.shift(); next && !isClosing; next = queue.shift()) {
          tried.add(next.key);
          await next.serve().catch(onError);
        }
      };
      await Promise.all(Array.from({ length: PER_ACCOUNT }, take));
    }
  };

  const startLanes = async () => {
    for (const { account_id } of await selectDueAccounts(pool, now(), [...lanes.keys()])) {
      const lane = serveAccount(account_id)
        .catch(onError)
        .finally(() => {
          lanes.delete(account_id);
          void setTimer().catch(onError);
        });
      lanes.set(account_id, lane);
    }
    await setTimer();
  };

  const setTimer = async () => {
    const next = await nextPaymentDueAt(pool, now());
    clearTimeout(timer);
    if (next === null || isClosing) return;
    const wait = Math.max(next.getTime() - now().getTime(), 10);
    if (wait < MINUTE) timer = setTimeout(wake, wait).unref();
  };

  const { wake, running } = repeatWhenWoken(startLanes, {
    isClosing: () => isClosing,
    onError,
  });

  const idle = async () => {
    while (running() || lanes.size > 0) await Promise.all([running(), ...lanes.values()]);
  };

  const endUnbegunAttempts = async () => {
    await endCutOffCharges(pool, now());
    const before = new Date(now().getTime() - UNBEGUN_AFTER);
    for (const attempt of await selectWithoutCharge(pool, before, MOST_UNBEGUN))
      await endUnbegun(payments, attempt, "left").catch(onError);
  };

  return {
    wake,
    sweep: async () => {
      await endUnbegunAttempts();
      wake();
    },
    /** Resolves when nothing is due any more. */
    askDue: async () => {
      wake();
      await idle();
    },
    close: async () => {
      isClosing = true;
      clearTimeout(timer);
      await idle();
    },
  };
}

/**
 * Watches payments until it is closed: woken by notices of providers, by its own timer, and by
 * one sweep a minute among all processes.
 */
export const runPayments = (
  jobs: Jobs,
  { onError, ...options }: Omit<PaymentOptions, "pool"> & Pick<WorkerOptions, "onError">,
) =>
  runWokenWorker(
    jobs,
    createPaymentWorker({
      payments: paymentContext({ ...options, pool: jobs.pool }),
      ...(onError && { onError }),
    }),
    { sweep: "payment-sweep", channel: PAYMENTS_CHANNEL },
  );

import { repeatWhenWoken, runWokenWorker, type Jobs } from "../../jobs.ts";
import { paymentContext, type PaymentContext, type PaymentOptions } from "../provider.ts";
import { compareAccount } from "./run.ts";
import { claimDueAccount, COMPARISON_CHANNEL } from "./store.ts";

const MINUTE = 60_000;
/** Accounts that are compared at a time, so that a silent provider delays no other account. */
const AT_A_TIME = 4;
/** Milliseconds for one account, and until another process can take it over. */
const [TIME_LIMIT, LEASE] = [10 * MINUTE, 15 * MINUTE];

interface WorkerOptions {
  payments: PaymentContext;
  onError?: (error: unknown) => void;
  /** Milliseconds for one account. */
  timeLimit?: number;
}

/** Compares each account with its provider daily, and when a person asks for it. */
export function createComparisonWorker({
  payments,
  onError = () => {},
  timeLimit = TIME_LIMIT,
}: WorkerOptions) {
  const { pool, now } = payments;
  const closing = new AbortController();
  const lanes = new Map<number, Promise<void>>();

  const startLanes = async () => {
    while (!closing.signal.aborted && lanes.size < AT_A_TIME) {
      const at = now();
      const claimed = await claimDueAccount(pool, {
        now: at,
        until: new Date(at.getTime() + LEASE),
        except: [...lanes.keys()],
      });
      if (!claimed) return;
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeLimit)]);
      const lane = compareAccount(payments, { ...claimed, signal, closing: closing.signal })
        .catch(onError)
        .finally(() => {
          lanes.delete(claimed.account_id);
          wake();
        });
      lanes.set(claimed.account_id, lane);
    }
  };

  const { wake, running } = repeatWhenWoken(startLanes, {
    isClosing: () => closing.signal.aborted,
    onError,
  });

  const idle = async () => {
    while (running() || lanes.size > 0) await Promise.all([running(), ...lanes.values()]);
  };

  return {
    wake,
    sweep: async () => wake(),
    /** Resolves when no account is due any more. */
    compareDue: async () => {
      wake();
      await idle();
    },
    close: async () => {
      closing.abort();
      await idle();
    },
  };
}

/** Compares accounts with their providers until it is closed; woken by requests of sellers. */
export const runComparisons = (
  jobs: Jobs,
  { onError, ...options }: Omit<PaymentOptions, "pool"> & Pick<WorkerOptions, "onError">,
) =>
  runWokenWorker(
    jobs,
    createComparisonWorker({
      payments: paymentContext({ ...options, pool: jobs.pool }),
      ...(onError && { onError }),
    }),
    { sweep: "comparison-sweep", channel: COMPARISON_CHANNEL },
  );

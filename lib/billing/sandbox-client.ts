import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import type * as z from "zod";
import {
  ReceivedClock,
  ReceivedClockMove,
  ReceivedReplacedAccount,
  ReceivedRestoredAccount,
  ReceivedSavedState,
  ReceivedScenarioList,
  ReceivedSetClock,
  ReceivedSimulatedPayment,
  ReceivedStateList,
  ReceivedTimeSpan,
  type MoveClock,
  type SimulatePayment,
} from "#contract/sandbox.ts";
import { ReceivedMessage } from "#contract/subscriptions.ts";
import { AppError } from "#lib/failure.ts";
import type { Paging } from "#lib/list-answer.ts";
import type { BillingClient } from "./client.ts";
import { pathSegment, type ApiCall, type Transport } from "./transport.ts";

// Advances and scenarios apply many changes, so they take longer.
const TIMEOUTS = { readTimeout: 30_000, writeTimeout: 45_000 };

/** While deliveries are on their way, the account cannot be replaced: the service answers 409 at once. */
const BUSY_PAUSE_MS = 1_000;
const MOST_BUSY_TRIES = 6;

const allChanged = () => ({ kind: "all_changed" }) as const;
const allReplaced = () => ({ kind: "replaced" }) as const;

/** The sandbox, an extension of the embedded service in test mode. */
export class SandboxClient {
  readonly #transport: Transport;

  constructor(billing: BillingClient) {
    this.#transport = billing.extension("sandbox", TIMEOUTS);
  }

  readClock = () => this.#read({ path: "clock", answer: ReceivedClock });

  /** Reads the forecast with one page of its steps; changes nothing. */
  readForecast = (
    { to = null, by = null }: { to?: string | null; by?: string | null },
    page: Partial<Paging> = {},
  ) => this.#read({ path: "forecast", query: { to, by, ...page }, answer: ReceivedTimeSpan });

  /** Moves the clock, forward only. @returns the changes on the way */
  advanceClock = (body: MoveClock) =>
    this.#write("clock/advance", ReceivedClockMove, { body, observes: allChanged });

  /** Moves the clock to the next change. */
  jumpToNext = () => this.#write("clock/next", ReceivedClockMove, { observes: allChanged });

  /** Sets the clock to real time; records do not change. */
  setClockRight = () => this.#write("clock/reset", ReceivedSetClock);

  listStates = () => this.#read({ path: "states", answer: ReceivedStateList, isPage: true });

  saveState = (name: string) => this.#write("states", ReceivedSavedState, { body: { name } });

  /** Restores the whole account; deliveries that were sent stay sent. */
  restoreState = (id: number) => this.#replace(`states/${id}/restore`, ReceivedRestoredAccount);

  deleteState = (id: number) => this.#write(`states/${id}/delete`, ReceivedMessage);

  listScenarios = () =>
    this.#read({ path: "scenarios", answer: ReceivedScenarioList, isPage: true });

  startScenario = (name: string) =>
    this.#replace("scenarios", ReceivedReplacedAccount, { name });

  reset = () => this.#replace("reset", ReceivedReplacedAccount);

  simulatePayment = async (subscription_id: string, body: SimulatePayment) =>
    this.#write(`subscriptions/${pathSegment(subscription_id)}/pay`, ReceivedSimulatedPayment, {
      body,
      observes: () => ({ kind: "changed", id: subscription_id }),
    });

  #read<Answer>(call: ApiCall<Answer>) {
    return this.#transport.read({ ...call, path: `sandbox/${call.path}` });
  }

  async #replace<Answer>(path: string, answer: z.ZodType<Answer>, body?: object) {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await this.#write(path, answer, { body, observes: allReplaced });
      } catch (error) {
        if (attempt === MOST_BUSY_TRIES || !isBusy(error)) throw error;
        await delay(BUSY_PAUSE_MS);
      }
  }

  #write<Answer>(
    path: string,
    answer: z.ZodType<Answer>,
    call: Pick<ApiCall<Answer>, "body" | "observes"> = {},
  ): Promise<Answer> {
    return this.#transport.write({ path: `sandbox/${path}`, answer, ...call });
  }
}

const isBusy = (error: unknown) =>
  error instanceof AppError &&
  error.failure.kind === "conflict" &&
  error.failure.status === 409;

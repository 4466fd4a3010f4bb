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
  type Clock,
  type ClockMove,
  type MoveClock,
  type ReplacedAccount,
  type RestoredAccount,
  type SavedState,
  type ScenarioList,
  type SetClock,
  type SimulatedPayment,
  type SimulatePayment,
  type StateList,
  type TimeSpan,
} from "#contract/sandbox.ts";
import { ReceivedMessage, type Message } from "#contract/subscriptions.ts";
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

  readClock(): Promise<Clock> {
    return this.#transport.read({ path: "sandbox/clock", answer: ReceivedClock });
  }

  /** Reads the forecast with one page of its steps; changes nothing. */
  readForecast(
    { to = null, by = null }: { to?: string | null; by?: string | null },
    page: Partial<Paging> = {},
  ): Promise<TimeSpan> {
    const query = { to, by, ...page };
    return this.#transport.read({ path: "sandbox/forecast", query, answer: ReceivedTimeSpan });
  }

  /** Moves the clock, forward only. @returns the changes on the way */
  advanceClock(body: MoveClock): Promise<ClockMove> {
    return this.#write("clock/advance", ReceivedClockMove, { body, observes: allChanged });
  }

  /** Moves the clock to the next change. */
  jumpToNext(): Promise<ClockMove> {
    return this.#write("clock/next", ReceivedClockMove, { observes: allChanged });
  }

  /** Sets the clock to real time; records do not change. */
  setClockRight(): Promise<SetClock> {
    return this.#write("clock/reset", ReceivedSetClock);
  }

  listStates(): Promise<StateList> {
    const path = "sandbox/states";
    return this.#transport.read({ path, answer: ReceivedStateList, isPage: true });
  }

  saveState(name: string): Promise<SavedState> {
    return this.#write("states", ReceivedSavedState, { body: { name } });
  }

  /** Restores the whole account; deliveries that were sent stay sent. */
  restoreState(id: number): Promise<RestoredAccount> {
    return this.#replace(`states/${id}/restore`, ReceivedRestoredAccount);
  }

  deleteState(id: number): Promise<Message> {
    return this.#write(`states/${id}/delete`, ReceivedMessage);
  }

  listScenarios(): Promise<ScenarioList> {
    const path = "sandbox/scenarios";
    return this.#transport.read({ path, answer: ReceivedScenarioList, isPage: true });
  }

  startScenario(name: string): Promise<ReplacedAccount> {
    return this.#replace("scenarios", ReceivedReplacedAccount, { name });
  }

  reset(): Promise<ReplacedAccount> {
    return this.#replace("reset", ReceivedReplacedAccount);
  }

  async simulatePayment(
    subscription_id: string,
    body: SimulatePayment,
  ): Promise<SimulatedPayment> {
    const path = `subscriptions/${pathSegment(subscription_id)}/pay`;
    const observes = () => ({ kind: "changed", id: subscription_id }) as const;
    return this.#write(path, ReceivedSimulatedPayment, { body, observes });
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

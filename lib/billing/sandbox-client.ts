import "server-only";
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
import type { Paging } from "#lib/list-answer.ts";
import type { BillingClient } from "./client.ts";
import { pathSegment, type ApiCall, type Transport } from "./transport.ts";

// Advances and scenarios apply many changes, so they take longer.
const TIMEOUTS = { readTimeout: 30_000, writeTimeout: 45_000 };

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
    return this.#write(`states/${id}/restore`, ReceivedRestoredAccount, {
      observes: allReplaced,
    });
  }

  deleteState(id: number): Promise<Message> {
    return this.#write(`states/${id}/delete`, ReceivedMessage);
  }

  listScenarios(): Promise<ScenarioList> {
    const path = "sandbox/scenarios";
    return this.#transport.read({ path, answer: ReceivedScenarioList, isPage: true });
  }

  startScenario(name: string): Promise<ReplacedAccount> {
    return this.#write("scenarios", ReceivedReplacedAccount, {
      body: { name },
      observes: allReplaced,
    });
  }

  reset(): Promise<ReplacedAccount> {
    return this.#write("reset", ReceivedReplacedAccount, { observes: allReplaced });
  }

  async simulatePayment(
    subscription_id: string,
    body: SimulatePayment,
  ): Promise<SimulatedPayment> {
    const path = `subscriptions/${pathSegment(subscription_id)}/pay`;
    const observes = () => ({ kind: "changed", id: subscription_id }) as const;
    return this.#write(path, ReceivedSimulatedPayment, { body, observes });
  }

  #write<Answer>(
    path: string,
    answer: z.ZodType<Answer>,
    call: Pick<ApiCall<Answer>, "body" | "observes"> = {},
  ): Promise<Answer> {
    return this.#transport.write({ path: `sandbox/${path}`, answer, ...call });
  }
}

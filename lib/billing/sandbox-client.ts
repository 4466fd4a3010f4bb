import "server-only";
import {
  ReceivedClock,
  ReceivedClockMove,
  ReceivedReplaced,
  ReceivedRestored,
  ReceivedSavedState,
  ReceivedScenarioList,
  ReceivedSetClock,
  ReceivedSimulatedPayment,
  ReceivedStateList,
  ReceivedTimeSpan,
  type Clock,
  type ClockMove,
  type MoveClock,
  type Replaced,
  type Restored,
  type SavedState,
  type ScenarioList,
  type SetClock,
  type SimulatedPayment,
  type SimulatePayment,
  type StateList,
  type TimeSpan,
} from "#contract/sandbox.ts";
import { ReceivedMessage, type Message } from "#contract/subscriptions.ts";
import type { BillingClient } from "./client.ts";
import { pathSegment, type Transport } from "./transport.ts";

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

  /** With one page of the steps; changes nothing. */
  readForecast({ to = null, by = null }: Target, page: StepPage = {}): Promise<TimeSpan> {
    const query = { to, by, ...page };
    return this.#transport.read({ path: "sandbox/forecast", query, answer: ReceivedTimeSpan });
  }

  /** Moves forward only. @returns the changes on the way */
  advanceClock(body: MoveClock): Promise<ClockMove> {
    const path = "sandbox/clock/advance";
    return this.#transport.write({
      path,
      body,
      answer: ReceivedClockMove,
      observes: allChanged,
    });
  }

  /** Moves to the next change. */
  jumpToNext(): Promise<ClockMove> {
    return this.#transport.write({
      path: "sandbox/clock/next",
      answer: ReceivedClockMove,
      observes: allChanged,
    });
  }

  /** Sets the clock to real time; records do not change. */
  setClockRight(): Promise<SetClock> {
    return this.#transport.write({ path: "sandbox/clock/reset", answer: ReceivedSetClock });
  }

  listStates(): Promise<StateList> {
    return this.#transport.read({
      path: "sandbox/states",
      answer: ReceivedStateList,
      isPage: true,
    });
  }

  saveState(name: string): Promise<SavedState> {
    const body = { name };
    return this.#transport.write({ path: "sandbox/states", body, answer: ReceivedSavedState });
  }

  /** Restores the whole account; deliveries that were sent stay sent. */
  restoreState(id: number): Promise<Restored> {
    return this.#transport.write({
      path: `sandbox/states/${id}/restore`,
      answer: ReceivedRestored,
      observes: allReplaced,
    });
  }

  deleteState(id: number): Promise<Message> {
    return this.#transport.write({
      path: `sandbox/states/${id}/delete`,
      answer: ReceivedMessage,
    });
  }

  listScenarios(): Promise<ScenarioList> {
    return this.#transport.read({
      path: "sandbox/scenarios",
      answer: ReceivedScenarioList,
      isPage: true,
    });
  }

  startScenario(name: string): Promise<Replaced> {
    const body = { name };
    return this.#transport.write({
      path: "sandbox/scenarios",
      body,
      answer: ReceivedReplaced,
      observes: allReplaced,
    });
  }

  reset(): Promise<Replaced> {
    return this.#transport.write({
      path: "sandbox/reset",
      answer: ReceivedReplaced,
      observes: allReplaced,
    });
  }

  async simulatePayment(
    subscription_id: string,
    body: SimulatePayment,
  ): Promise<SimulatedPayment> {
    const path = `sandbox/subscriptions/${pathSegment(subscription_id)}/pay`;
    return this.#transport.write({
      path,
      body,
      answer: ReceivedSimulatedPayment,
      observes: () => ({ kind: "changed", id: subscription_id }),
    });
  }
}

interface Target {
  to?: string | null;
  by?: string | null;
}

interface StepPage {
  page?: number;
  page_size?: number;
}

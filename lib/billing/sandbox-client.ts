import "server-only";
import {
  ReceivedClock,
  ReceivedScenarioList,
  ReceivedSimulatedPayment,
  ReceivedTimeSpan,
  type Clock,
  type MoveClock,
  type ScenarioList,
  type SimulatedPayment,
  type SimulatePayment,
  type TimeSpan,
} from "#contract/sandbox.ts";
import { ReceivedMessage, type Message } from "#contract/subscriptions.ts";
import { pathSegment, Transport, unheard, type TransportOptions } from "./transport.ts";

// An advance goes through every change on its way, and a scenario plays a month.
const PATIENCE = { readTimeout: 30_000, writeTimeout: 45_000 };

const allChanged = () => ({ kind: "all_changed" }) as const;

/**
 * The embedded service's own doors for trying things out, beside the specified API: it has them in
 * test mode, other servers nowhere. Every method throws BillingError.
 */
export class SandboxClient {
  readonly #transport: Transport;

  constructor(options: TransportOptions) {
    this.#transport = new Transport({ ...PATIENCE, ...unheard(options) });
  }

  readClock(): Promise<Clock> {
    return this.#transport.read({ path: "sandbox/clock", answer: ReceivedClock });
  }

  /** What an advance would do; changes nothing. */
  readForecast({ to = null, by = null }: Target): Promise<TimeSpan> {
    const query = { to, by };
    return this.#transport.read({ path: "sandbox/forecast", query, answer: ReceivedTimeSpan });
  }

  /** Forward only. @returns what time did on the way */
  advanceClock(body: MoveClock): Promise<TimeSpan> {
    const path = "sandbox/clock/advance";
    return this.#transport.write({ path, body, answer: ReceivedTimeSpan, tells: allChanged });
  }

  /** To whatever time changes next, also to what is overdue. */
  jumpToNext(): Promise<TimeSpan> {
    return this.#transport.write({
      path: "sandbox/clock/next",
      answer: ReceivedTimeSpan,
      tells: allChanged,
    });
  }

  /** Back to real time; records stay as they are. */
  setClockRight(): Promise<Clock> {
    return this.#transport.write({ path: "sandbox/clock/reset", answer: ReceivedClock });
  }

  listScenarios(): Promise<ScenarioList> {
    return this.#transport.read({
      path: "sandbox/scenarios",
      answer: ReceivedScenarioList,
      isPage: true,
    });
  }

  startScenario(name: string): Promise<Message> {
    const body = { name };
    return this.#transport.write({
      path: "sandbox/scenarios",
      body,
      answer: ReceivedMessage,
      tells: allChanged,
    });
  }

  reset(): Promise<Message> {
    return this.#transport.write({
      path: "sandbox/reset",
      answer: ReceivedMessage,
      tells: allChanged,
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
      tells: () => ({ kind: "changed", id: subscription_id }),
    });
  }
}

interface Target {
  to?: string | null;
  by?: string | null;
}

import assert from "node:assert/strict";
import { submitAttempt } from "../../checkout/attempt.ts";
import { testCodeOf } from "../../checkout/codes.ts";
import { followUpAttempt } from "../../checkout/follow-up.ts";
import { openCheckout } from "../../checkout/open.ts";
import type { ServiceClient, TestResponse } from "../service.ts";
import { PROVIDERS, type ProviderName } from "./books.ts";
import { ofKilled, throwOurs, type PaymentScene } from "./scene.ts";
import type { PaymentAction } from "./sequence.ts";

const SECOND = 1_000;
/**
 * Providers whose answers name the amount. The others are asked with the amount or answer without
 * one: only their statements show another amount.
 */
const TELLS_AMOUNT = new Set<ProviderName>(["khalti", "fonepay", "stripe"]);

/** A buyer's browser at a provider's page. */
interface Tab {
  provider: ProviderName;
  reference: string;
  id: string;
  attempt: string;
}

type Of<Name extends PaymentAction["do"]> = Extract<PaymentAction, { do: Name }>;

/** Plays buyers in their browsers, and providers with their payments. */
export class PaymentBuyers {
  private readonly scene: PaymentScene;
  private readonly tabs: Tab[] = [];

  constructor(scene: PaymentScene) {
    this.scene = scene;
  }

  async act(action: Extract<PaymentAction, { tab: number }>): Promise<unknown> {
    const tab = this.tabs[action.tab % this.tabs.length];
    if (!tab) return;
    const { provider, reference, id, attempt } = tab;
    const payment = this.scene.books.find(provider, reference);
    const isTaken = payment?.transaction !== null;
    const { books } = this.scene;
    const isWhole =
      payment &&
      books.backOf(provider, payment) === 0n &&
      books.disputeOf(provider, payment) === null;
    switch (action.do) {
      case "again":
        return this.goOn(id, attempt, provider);
      case "pay":
        return (
          !isTaken && (await this.isWatched(tab)) && this.decide(tab, "approve", action.returns)
        );
      case "refuse":
        return !isTaken && this.decide(tab, action.outcome, action.returns);
      case "misprice":
        if (!payment || isTaken || !TELLS_AMOUNT.has(provider) || !(await this.isWatched(tab)))
          return;
        if (action.isForeign && provider === "stripe") payment.currency = "usd";
        else payment.units += 1n;
        return this.decide(tab, "approve", false);
      case "look":
        return this.look(tab, action.killedAt);
      case "crowd":
        this.scene.advance(6 * SECOND);
        return Promise.all([
          this.look(tab, null),
          this.look(tab, null),
          this.scene.work(null),
          this.scene.work(null),
        ]);
      case "puzzle":
        return payment && isWhole ? this.scene.books.puzzle(provider, reference) : undefined;
      case "notify":
        return this.notify(tab, action);
      case "dispute": {
        if (provider !== "stripe" || !payment || !isTaken) return;
        if (books.backOf(provider, payment) === payment.units) return;
        if (!books.dispute(payment, action.word)) return;
        return this.notify(tab, { times: 1, isForged: false }, "charge.dispute.updated");
      }
      case "undo":
        return payment && isTaken && isWhole
          ? this.scene.books.undo(provider, payment)
          : undefined;
    }
  }

  /** The form of the checkout, the code, and the way to the provider. */
  async checkout({
    buyer,
    provider: place,
    isEarly,
    pays,
    killedAt,
  }: Of<"checkout">): Promise<unknown> {
    this.scene.advance(31 * SECOND);
    const id = this.scene.subscriptions[buyer] ?? "";
    const provider = providerAt(place);
    const fields = { method: provider, ...(isEarly && { early: "1" }) };
    const { query } = await this.scene.post(`/pay/${id}/code`, fields);
    const attempt = query.get("attempt");
    if (query.get("outcome") !== null || attempt === null) return;
    const { pool, clock } = this.scene.service;
    const { amount } = await openCheckout(pool, id, clock.now());
    const code = testCodeOf(attempt);
    if (killedAt === null)
      await this.scene.post(`/pay/${id}/pay`, { attempt, code, total: amount.total });
    else {
      const submission = { attemptId: attempt, code, shownTotal: amount.total };
      return ofKilled(submitAttempt(this.scene.dying(killedAt), id, submission, throwOurs));
    }
    const before = this.tabs.length;
    await this.goOn(id, attempt, provider);
    const tab = this.tabs[before];
    return tab && pays && this.decide(tab, "approve", true);
  }

  private async goOn(id: string, attempt: string, provider: ProviderName) {
    const { service, books } = this.scene;
    const go = `/pay/${id}/go?attempt=${attempt}`;
    const reference = await reachProvider(service, await this.scene.get(go), attempt);
    const isNew = reference !== null && !this.tabs.some((tab) => tab.reference === reference);
    if (isNew && books.find(provider, reference))
      this.tabs.push({ provider, reference, id, attempt });
  }

  private async decide(
    tab: Tab,
    outcome: "approve" | Of<"refuse">["outcome"],
    returns: boolean,
  ) {
    const { provider, reference } = tab;
    if (!returns) return this.scene.books.of(provider).decide(reference, outcome);
    const { url } = this.scene.books.simulators.providers[provider].simulator;
    const decided = await reach(`${url}/pay`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ reference, outcome }),
    });
    const location = decided?.headers.get("location");
    if (!location?.startsWith(this.scene.service.context.publicUrl)) return;
    const { pathname, search } = new URL(location);
    const back = await this.scene.get(`${pathname}${search}`);
    if (back.statusCode === 303) await this.scene.get(String(back.headers.location));
  }

  /**
   * Whether the service still asks about the charge: a week after its end, only a comparison finds
   * its payment.
   */
  private async isWatched({ reference }: Tab): Promise<boolean> {
    const { rows } = await this.scene.service.pool.query<{ is_over: boolean }>(
      `select state in ('failed', 'left') and next_at is null as is_over from charge where reference = $1`,
      [reference],
    );
    return rows[0]?.is_over === false;
  }

  private async look({ id, attempt }: Tab, killedAt: number | null) {
    if (killedAt === null) return this.scene.get(`/pay/${id}?attempt=${attempt}`);
    this.scene.advance(6 * SECOND);
    const at = { subscription_id: id, attempt_id: attempt };
    return ofKilled(followUpAttempt(this.scene.dying(killedAt), at));
  }

  private async notify(
    { provider, reference }: Tab,
    { times, isForged }: Pick<Of<"notify">, "times" | "isForged">,
    type = "checkout.session.completed",
  ) {
    const payment = this.scene.books.find(provider, reference);
    if (provider !== "stripe" || !payment) return;
    // Signatures hold for five minutes of real time.
    this.scene.books.of("stripe").setClock(0);
    const notice = this.scene.books.simulators.stripeNoticeOf(payment, type);
    this.scene.advance(0);
    if (isForged)
      notice.headers["stripe-signature"] = notice.headers["stripe-signature"].slice(0, -4);
    const send = () =>
      this.scene.call({
        method: "POST",
        url: `/pay-notices/${this.scene.keys.get(provider)}`,
        headers: { "content-type": "application/json", ...notice.headers },
        payload: notice.body,
      });
    const answers = await Promise.all(Array.from({ length: times }, send));
    for (const { statusCode } of answers) assert.equal(statusCode, isForged ? 404 : 204);
  }
}

export const providerAt = (place: number): ProviderName => PROVIDERS[place] ?? "khalti";

/**
 * Follows the page that leads to a provider, as a browser without scripts.
 * @returns the reference of the charge; null if the page leads to none
 */
export async function reachProvider(
  { pool }: Pick<ServiceClient, "pool">,
  page: TestResponse,
  attempt: string,
): Promise<string | null> {
  if (page.statusCode !== 200) return null;
  const address = /url=(.+)$/.exec(String(page.headers.refresh ?? ""))?.[1];
  const form = /<form method="post" action="([^"]+)"/.exec(page.body)?.[1];
  if (address) await reach(address);
  else if (form)
    await reach(form, {
      method: "POST",
      body: new URLSearchParams(
        [...page.body.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
          ([, name = "", value = ""]): [string, string] => [name, unescaped(value)],
        ),
      ),
    });
  const { rows } = await pool.query<{ reference: string }>(
    `select reference from charge where attempt_id = $1 and state = 'open'
     order by shown_at desc nulls last, begun_at desc limit 1`,
    [attempt],
  );
  return rows[0]?.reference ?? null;
}

/** Requests a page as a browser; an unreachable one is an error page. */
const reach = (url: string, init: RequestInit = {}) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(SECOND) }).catch(() => null);

const unescaped = (text: string) =>
  text.replace(/&#(\d+);|&(amp|lt|gt|quot);/g, (_, code: string, name: string) =>
    code
      ? String.fromCharCode(Number(code))
      : ({ amp: "&", lt: "<", gt: ">", quot: '"' }[name] ?? ""),
  );

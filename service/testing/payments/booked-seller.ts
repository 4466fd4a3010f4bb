import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { AccountPaymentPage, LedgerBalances, MonthlyStatement } from "#contract/payments.ts";
import { RecordedPayment, Refund } from "#contract/recorded-payments.ts";
import { requestCode, submitCodePage } from "../checkout-forms.ts";
import { addFakeAccount, type FakeProvider } from "../fake-provider.ts";
import { askDueCharges } from "../payment-steps.ts";
import { SellerApi } from "../seller-api.ts";
import { withAccountToken, type TestSeller, type TestService } from "../service.ts";

const URL = "/account/v1";
const by = { id: "1", name: "Sita Rai" };

/** A seller whose buyers pay at the checkout; cash, refunds and the ledger go by the account API. */
export class BookedSeller {
  readonly api: SellerApi;
  private readonly account: TestSeller;
  private readonly fake: FakeProvider;

  private constructor(api: SellerApi, account: TestSeller, fake: FakeProvider) {
    this.api = api;
    this.account = account;
    this.fake = fake;
  }

  static async open(service: TestService, fake: FakeProvider): Promise<BookedSeller> {
    const api = await SellerApi.open(service);
    return new BookedSeller(api, await withAccountToken(service, api.seller), fake);
  }

  private get service() {
    return this.api.service;
  }

  readonly addProvider = () => addFakeAccount(this.service, this.api.seller);

  readonly call = (url: string) => this.service.call(this.account, { url: `${URL}${url}` });

  private async get(url: string): Promise<unknown> {
    const answer = await this.call(url);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json();
  }

  private async post(url: string, payload: object, status = 200): Promise<unknown> {
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", url: `${URL}${url}`, payload, headers } as const;
    const answer = await this.service.call(this.account, request);
    assert.equal(answer.statusCode, status, answer.body);
    return answer.json();
  }

  /** Balances by provider or account, without those at zero. */
  async balances(): Promise<Record<string, string>> {
    const { balances } = LedgerBalances.parse(await this.get("/balances/"));
    return Object.fromEntries(
      balances
        .filter(({ balance }) => balance !== "0.00")
        .map(({ account, provider, balance }) => [provider ?? account, balance]),
    );
  }

  statement = async (month: string, query = "") =>
    MonthlyStatement.parse(await this.get(`/statements/${month}/${query}`));

  payments = async () =>
    AccountPaymentPage.parse(await this.get("/payments/?page_size=100")).results;

  /** Begins to pay by the fake provider. @returns the charge's reference */
  async goToProvider(id: string): Promise<string> {
    const attempt = await requestCode(this.service, id, { method: "fake" });
    await submitCodePage(this.service, id, attempt);
    return this.fake.begun.at(-1)?.reference ?? "";
  }

  async askAfter(milliseconds = 15_000) {
    this.service.clock.advance(milliseconds);
    await askDueCharges(this.service);
  }

  /** Has the service ask the provider about a paid charge again. */
  async askAgain(reference: string) {
    const due = "update charge set next_at = begun_at where reference = $1";
    await this.service.pool.query(due, [reference]);
    await this.askAfter();
  }

  /** @returns the charge's reference */
  async payAtProvider(id: string): Promise<string> {
    const reference = await this.goToProvider(id);
    this.fake.answer("approve", reference);
    await this.askAfter();
    return reference;
  }

  /** Sets the amount that the provider says it refunded of a charge. */
  tellRefunded = (reference: string, amount: string) =>
    this.service.pool.query("update charge set refunded_amount = $2 where reference = $1", [
      reference,
      amount,
    ]);

  async recordCash(id: string): Promise<RecordedPayment> {
    const { next_billing_cycle } = await this.api.read(id);
    const body = {
      amount: "1130.00",
      period_start: next_billing_cycle,
      method: "cash",
      received_on: "2026-03-10",
      by,
    };
    return RecordedPayment.parse(await this.post(`/subscriptions/${id}/payments/`, body, 201));
  }

  reverse = (id: string) =>
    this.post(`/recorded-payments/${id}/reverse/`, { reason: "None came", by });

  private async askBack(paymentId: string, amount: string): Promise<string> {
    const body = { amount, reason: "Too much", by };
    return Refund.parse(await this.post(`/payments/${paymentId}/refunds/`, body, 201)).id;
  }

  /** The provider gives back that amount of a payment. */
  async giveBack(paymentId: string, amount: string) {
    this.fake.refunding = { state: "done", refund_id: randomUUID() };
    await this.askBack(paymentId, amount);
    await this.askAfter();
  }

  /** A person confirms the refund of a payment that came another way, or declines it. */
  async endByHand(paymentId: string, amount: string, isMade: boolean) {
    const id = await this.askBack(paymentId, amount);
    if (isMade) await this.post(`/refunds/${id}/confirm/`, { reference: "T 1", by });
    else await this.post(`/refunds/${id}/refuse/`, { reason: "No", by });
  }
}

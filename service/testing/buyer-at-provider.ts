import { type PaymentTask, PaymentTaskPage } from "#contract/recorded-payments.ts";
import type { InquiryAnswer } from "../providers/provider.ts";
import { requestCode, submitCodePage } from "./checkout-forms.ts";
import { addFakeAccount, type FakeProvider } from "./fake-provider.ts";
import { askDueCharges } from "./payment-steps.ts";
import { SellerApi } from "./seller-api.ts";
import { withAccountToken, type TestSeller, type TestService } from "./service.ts";

export const SITA = { id: "1", name: "Sita Rai" };
export const HARI = { id: "2", name: "Hari Thapa" };

export const approvedAs = (
  amount: string,
  currency = "NPR",
  fee: string | null = null,
): InquiryAnswer => ({
  state: "approved",
  amount,
  currency,
  transaction_id: "T-1",
  fee,
  at: null,
});

/** A buyer who is at the fake provider, and the tasks of their seller. */
export class BuyerAtProvider {
  readonly api: SellerApi;
  readonly account: TestSeller;
  /** The subscription's id. */
  readonly id: string;
  readonly reference: string;
  /** The checkout's URL with the attempt. */
  readonly page: string;
  private readonly fake: FakeProvider;

  private constructor(
    api: SellerApi,
    account: TestSeller,
    fake: FakeProvider,
    begun: { id: string; attempt: string },
  ) {
    this.api = api;
    this.account = account;
    this.fake = fake;
    this.id = begun.id;
    this.reference = fake.begun.at(-1)?.reference ?? "";
    this.page = `/pay/${begun.id}?attempt=${begun.attempt}`;
  }

  static async open(service: TestService, fake: FakeProvider): Promise<BuyerAtProvider> {
    fake.refunds.length = 0;
    const api = await SellerApi.open(service);
    const account = await withAccountToken(service, api.seller);
    await addFakeAccount(service, api.seller);
    const { subscription_id: id } = await api.create();
    const attempt = await requestCode(service, id, { method: "fake" });
    await submitCodePage(service, id, attempt);
    return new BuyerAtProvider(api, account, fake, { id, attempt });
  }

  private get service() {
    return this.api.service;
  }

  /** Has the service ask the provider, which gives that answer. */
  async hear(answer: InquiryAnswer): Promise<void> {
    this.fake.answer(answer, this.reference);
    this.service.clock.advance(15_000);
    await askDueCharges(this.service);
  }

  /** As `hear`, also about a charge that is not asked about any more. */
  async hearAgain(answer: InquiryAnswer): Promise<void> {
    const due = "update charge set next_at = begun_at where reference = $1";
    await this.service.pool.query(due, [this.reference]);
    await this.hear(answer);
  }

  async tasks(query = ""): Promise<PaymentTaskPage> {
    const url = `/account/v1/payment-tasks/${query}`;
    return PaymentTaskPage.parse((await this.service.call(this.account, { url })).json());
  }

  post(path: string, payload: object) {
    return this.service.call(this.account, {
      method: "POST",
      url: `/account/v1/${path}`,
      payload,
      headers: { "content-type": "application/json" },
    });
  }

  decide(task: PaymentTask | undefined, decision: string, more: object = {}) {
    const said = { decision, note: "Seen in the portal", by: SITA, ...more };
    return this.post(`payment-tasks/${task?.id}/decide/`, said);
  }

  /** Decides about the newest open task. */
  async decideNewest(decision: string) {
    const [task] = (await this.tasks("?is_open=true")).results;
    return this.decide(task, decision);
  }

  /** Somebody records that the buyer has paid in cash. */
  payInCash = () =>
    this.post(`subscriptions/${this.id}/payments/`, {
      amount: "1130.00",
      period_start: null,
      method: "cash",
      received_on: this.service.clock.now().toISOString().slice(0, 10),
      by: HARI,
    });
}

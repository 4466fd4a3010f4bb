import "server-only";
import {
  ReceivedBuyerRequest,
  ReceivedBuyerRequestPage,
  type AnswerBuyerRequest,
  type BuyerRequest,
  type BuyerRequestPage,
} from "#contract/buyer-requests.ts";
import { ReceivedCorrectionList, type CorrectionList } from "#contract/customers.ts";
import { ReceivedAccountPaymentPage, type AccountPaymentPage } from "#contract/payments.ts";
import {
  ReceivedOwedPayment,
  ReceivedPaymentTask,
  ReceivedPaymentTaskPage,
  ReceivedRecordedPayment,
  ReceivedRecordedPaymentPage,
  ReceivedRefund,
  ReceivedRefundPage,
  type DecidePaymentTask,
  type DoneBy,
  type OwedPayment,
  type PaymentTask,
  type PaymentTaskPage,
  type RecordedPayment,
  type RecordedPaymentPage,
  type RecordPayment,
  type Refund,
  type RefundPage,
  type RequestRefund,
} from "#contract/recorded-payments.ts";
import { ReceivedAccountProfile, type AccountProfile } from "#contract/account.ts";
import { ReceivedDocumentContent, type DocumentContent } from "#contract/verification.ts";
import { isMissing } from "#lib/failure.ts";
import { ACCOUNT_ROOT } from "./discovery.ts";
import { pathSegment, rawCall, Transport } from "./transport.ts";

const RECORDED = `${ACCOUNT_ROOT}/recorded-payments`;
const REFUNDS = `${ACCOUNT_ROOT}/refunds`;
const TASKS = `${ACCOUNT_ROOT}/payment-tasks`;
const REQUESTS = `${ACCOUNT_ROOT}/buyer-requests`;
/** Requests on one page. */
const REQUESTS_SHOWN = 50;

/** Payments made another way, and refunds, of the seller's own account. All methods throw AppError. */
export class PaymentClient {
  readonly #transport: Transport;

  constructor({ baseUrl, token }: { baseUrl: string; token: string }) {
    this.#transport = new Transport({ baseUrl, connect: async () => ({ apiKey: token }) });
  }

  readProfile(): Promise<AccountProfile> {
    const path = `${ACCOUNT_ROOT}/profile`;
    return this.#transport.read({ path, answer: ReceivedAccountProfile });
  }

  readOwed(subscription_id: string): Promise<OwedPayment> {
    const path = `${ACCOUNT_ROOT}/subscriptions/${pathSegment(subscription_id)}/payments`;
    return this.#transport.read({ path, answer: ReceivedOwedPayment });
  }

  /** The newest payments of a subscription. */
  listPayments(subscription_id: string): Promise<AccountPaymentPage> {
    return this.#transport.read({
      path: `${ACCOUNT_ROOT}/payments`,
      query: { subscription_id, page_size: 50 },
      answer: ReceivedAccountPaymentPage,
      isPage: true,
    });
  }

  /** The page of a subscription's payments with this reference, as the service sends it. */
  async readRawPayments(subscription_id: string, reference: string): Promise<string> {
    const path = `${ACCOUNT_ROOT}/payments`;
    const query = { subscription_id, reference };
    return (await this.#transport.read(rawCall(path, query))).text;
  }

  /** The details that the subscription's buyer corrected at the checkout. */
  listCorrections(subscription_id: string): Promise<CorrectionList> {
    return this.#transport.read({
      path: `${ACCOUNT_ROOT}/subscriptions/${pathSegment(subscription_id)}/corrections`,
      answer: ReceivedCorrectionList,
    });
  }

  /** @param idempotencyKey a second call with the same key records nothing more */
  record(
    subscription_id: string,
    body: RecordPayment,
    idempotencyKey: string,
  ): Promise<RecordedPayment> {
    const path = `${ACCOUNT_ROOT}/subscriptions/${pathSegment(subscription_id)}/payments`;
    return this.#transport.write({
      path,
      body,
      answer: ReceivedRecordedPayment,
      idempotencyKey,
    });
  }

  listWaiting(): Promise<RecordedPaymentPage> {
    return this.#transport.read({
      path: RECORDED,
      query: { state: "waiting", page_size: 100 },
      answer: ReceivedRecordedPaymentPage,
      isPage: true,
    });
  }

  readPhoto(id: string): Promise<DocumentContent> {
    const path = `${RECORDED}/${pathSegment(id)}/photo`;
    return this.#transport.read({ path, answer: ReceivedDocumentContent });
  }

  approve(id: string, by: DoneBy): Promise<RecordedPayment> {
    return this.#decide(id, "approve", { by });
  }

  decline(id: string, by: DoneBy, reason: string): Promise<RecordedPayment> {
    return this.#decide(id, "decline", { by, reason });
  }

  reverse(id: string, by: DoneBy, reason: string): Promise<RecordedPayment> {
    return this.#decide(id, "reverse", { by, reason });
  }

  #decide(id: string, verb: string, body: object): Promise<RecordedPayment> {
    const path = `${RECORDED}/${pathSegment(id)}/${verb}`;
    return this.#transport.write({ path, body, answer: ReceivedRecordedPayment });
  }

  listOpenRefunds(): Promise<RefundPage> {
    return this.#transport.read({
      path: REFUNDS,
      query: { is_open: "true", page_size: 100 },
      answer: ReceivedRefundPage,
      isPage: true,
    });
  }

  requestRefund(
    payment_id: string,
    body: RequestRefund,
    idempotencyKey: string,
  ): Promise<Refund> {
    const path = `${ACCOUNT_ROOT}/payments/${pathSegment(payment_id)}/refunds`;
    return this.#transport.write({ path, body, answer: ReceivedRefund, idempotencyKey });
  }

  confirmRefund(id: string, by: DoneBy, reference: string): Promise<Refund> {
    const path = `${REFUNDS}/${pathSegment(id)}/confirm`;
    return this.#transport.write({ path, body: { by, reference }, answer: ReceivedRefund });
  }

  refuseRefund(id: string, by: DoneBy, reason: string): Promise<Refund> {
    const path = `${REFUNDS}/${pathSegment(id)}/refuse`;
    return this.#transport.write({ path, body: { by, reason }, answer: ReceivedRefund });
  }

  retryRefund(id: string): Promise<Refund> {
    const path = `${REFUNDS}/${pathSegment(id)}/retry`;
    return this.#transport.write({ path, answer: ReceivedRefund });
  }

  refundByHand(id: string): Promise<Refund> {
    const path = `${REFUNDS}/${pathSegment(id)}/by-hand`;
    return this.#transport.write({ path, answer: ReceivedRefund });
  }

  /** @param query `before` is the id of the last one on the page before */
  listTasks(query: {
    is_open: boolean;
    subscription_id?: string;
    before?: string | null;
    page_size: number;
  }): Promise<PaymentTaskPage> {
    const { is_open, ...rest } = query;
    return this.#transport.read({
      path: TASKS,
      query: { ...rest, is_open: String(is_open) },
      answer: ReceivedPaymentTaskPage,
      isPage: true,
    });
  }

  decideTask(id: string, body: DecidePaymentTask): Promise<PaymentTask> {
    const path = `${TASKS}/${pathSegment(id)}/decide`;
    return this.#transport.write({ path, body, answer: ReceivedPaymentTask });
  }

  /**
   * Open requests of buyers, newest first; empty at a service without a page for buyers.
   * @param query `before` is the id of the last one on the page before
   */
  async listRequests(
    query: { subscription_id?: string; before?: string } = {},
  ): Promise<BuyerRequestPage> {
    try {
      return await this.#transport.read({
        path: REQUESTS,
        query: { ...query, is_open: "true", page_size: REQUESTS_SHOWN },
        answer: ReceivedBuyerRequestPage,
        isPage: true,
      });
    } catch (error) {
      if (isMissing(error)) return { open: 0, next: null, results: [] };
      throw error;
    }
  }

  answerRequest(id: string, body: AnswerBuyerRequest): Promise<BuyerRequest> {
    const path = `${REQUESTS}/${pathSegment(id)}/answer`;
    return this.#transport.write({ path, body, answer: ReceivedBuyerRequest });
  }
}

/** Open tasks about money; empty at a service that has none. */
export async function listOpenTasks(
  client: PaymentClient,
  query: { page_size: number; subscription_id?: string },
): Promise<PaymentTaskPage> {
  try {
    return await client.listTasks({ ...query, is_open: true });
  } catch (error) {
    if (isMissing(error)) return { open: 0, next: null, results: [] };
    throw error;
  }
}

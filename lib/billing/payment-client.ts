import "server-only";
import {
  ReceivedBuyerRequest,
  ReceivedBuyerRequestPage,
  type AnswerBuyerRequest,
  type BuyerRequestPage,
} from "#contract/buyer-requests.ts";
import { ReceivedCorrectionList } from "#contract/customers.ts";
import {
  ReceivedCheckedPaymentAccount,
  ReceivedComparedStatement,
  ReceivedPaymentAccount,
  ReceivedPaymentAccounts,
  type CompareStatement,
  type SavePaymentAccount,
} from "#contract/payment-accounts.ts";
import { ReceivedAccountPaymentPage } from "#contract/payments.ts";
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
  type PaymentTaskPage,
  type RecordPayment,
  type RequestRefund,
} from "#contract/recorded-payments.ts";
import { ReceivedAccountProfile } from "#contract/account.ts";
import { ReceivedDocumentContent } from "#contract/verification.ts";
import { isMissing } from "#lib/failure.ts";
import { AccountApi, PROVIDER_CHECK, pathWith, type AccountApiOptions } from "./account-api.ts";

/** Requests on one page. */
const REQUESTS_SHOWN = 50;

/** Payments made another way, refunds, tasks about money and requests of buyers. */
export class PaymentClient extends AccountApi {
  readProfile = () => this.read("profile", ReceivedAccountProfile);

  readOwed = (subscription_id: string) =>
    this.read(pathWith`subscriptions/${subscription_id}/payments`, ReceivedOwedPayment);

  /** The newest payments of a subscription. */
  listPayments = (subscription_id: string) =>
    this.readPage("payments", ReceivedAccountPaymentPage, { subscription_id, page_size: 50 });

  /** The page of a subscription's payments with this reference, as the service sends it. */
  readRawPayments = (subscription_id: string, reference: string) =>
    this.readRaw("payments", { subscription_id, reference });

  /** The details that the buyer corrected at the checkout, and when they ordered the subscription. */
  listCorrections = (subscription_id: string) =>
    this.read(pathWith`subscriptions/${subscription_id}/corrections`, ReceivedCorrectionList);

  /** @param idempotencyKey a second call with the same key records nothing more */
  record = (subscription_id: string, body: RecordPayment, idempotencyKey: string) =>
    this.write(
      pathWith`subscriptions/${subscription_id}/payments`,
      ReceivedRecordedPayment,
      body,
      { idempotencyKey },
    );

  listWaiting = () =>
    this.readPage("recorded-payments", ReceivedRecordedPaymentPage, {
      state: "waiting",
      page_size: 100,
    });

  readPhoto = (id: string) =>
    this.read(pathWith`recorded-payments/${id}/photo`, ReceivedDocumentContent);

  approve = (id: string, by: DoneBy) =>
    this.write(pathWith`recorded-payments/${id}/approve`, ReceivedRecordedPayment, { by });

  decline = (id: string, by: DoneBy, reason: string) =>
    this.write(pathWith`recorded-payments/${id}/decline`, ReceivedRecordedPayment, {
      by,
      reason,
    });

  reverse = (id: string, by: DoneBy, reason: string) =>
    this.write(pathWith`recorded-payments/${id}/reverse`, ReceivedRecordedPayment, {
      by,
      reason,
    });

  listOpenRefunds = () =>
    this.readPage("refunds", ReceivedRefundPage, { is_open: "true", page_size: 100 });

  requestRefund = (payment_id: string, body: RequestRefund, idempotencyKey: string) =>
    this.write(pathWith`payments/${payment_id}/refunds`, ReceivedRefund, body, {
      idempotencyKey,
    });

  confirmRefund = (id: string, by: DoneBy, reference: string) =>
    this.write(pathWith`refunds/${id}/confirm`, ReceivedRefund, { by, reference });

  refuseRefund = (id: string, by: DoneBy, reason: string) =>
    this.write(pathWith`refunds/${id}/refuse`, ReceivedRefund, { by, reason });

  retryRefund = (id: string) => this.write(pathWith`refunds/${id}/retry`, ReceivedRefund);

  refundByHand = (id: string) => this.write(pathWith`refunds/${id}/by-hand`, ReceivedRefund);

  /** @param query `before` is the id of the last one on the page before */
  listTasks = ({
    is_open,
    ...query
  }: {
    is_open: boolean;
    subscription_id?: string;
    before?: string | null;
    page_size: number;
  }) =>
    this.readPage("payment-tasks", ReceivedPaymentTaskPage, {
      ...query,
      is_open: String(is_open),
    });

  decideTask = (id: string, body: DecidePaymentTask) =>
    this.write(pathWith`payment-tasks/${id}/decide`, ReceivedPaymentTask, body);

  /**
   * Open requests of buyers, newest first; empty at a service without a page for buyers.
   * @param query `before` is the id of the last one on the page before
   */
  listRequests = (
    query: { subscription_id?: string; before?: string } = {},
  ): Promise<BuyerRequestPage> =>
    orEmpty(
      this.readPage("buyer-requests", ReceivedBuyerRequestPage, {
        ...query,
        is_open: "true",
        page_size: REQUESTS_SHOWN,
      }),
    );

  answerRequest = (id: string, body: AnswerBuyerRequest) =>
    this.write(pathWith`buyer-requests/${id}/answer`, ReceivedBuyerRequest, body);
}

/** Open tasks about money; empty at a service that has none. */
export const listOpenTasks = (
  client: PaymentClient,
  query: { page_size: number; subscription_id?: string },
): Promise<PaymentTaskPage> => orEmpty(client.listTasks({ ...query, is_open: true }));

async function orEmpty<Page>(reading: Promise<Page>) {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error)) return { open: 0, next: null, results: [] };
    throw error;
  }
}

/** The seller's accounts at payment providers. */
export class PaymentAccountClient extends AccountApi {
  constructor(options: AccountApiOptions) {
    super(options, PROVIDER_CHECK);
  }

  /** The accounts in the buyers' order, and the available providers; without secrets. */
  list = () => this.readPage("payment-accounts", ReceivedPaymentAccounts);

  /** @throws AppError `conflict` with status 409 if `version` is not the newest */
  save = (provider: string, body: SavePaymentAccount) =>
    this.write(pathWith`payment-accounts/${provider}`, ReceivedPaymentAccount, body);

  /** @throws AppError `conflict` with status 409 while payments there can still change */
  remove = (provider: string) =>
    this.write(pathWith`payment-accounts/${provider}/remove`, ReceivedPaymentAccounts);

  /** @param providers every provider that is set up, in the new order */
  order = (providers: string[]) =>
    this.write("payment-accounts/order", ReceivedPaymentAccounts, { providers });

  /** Asks the provider; no money moves. */
  check = (provider: string) =>
    this.write(pathWith`payment-accounts/${provider}/check`, ReceivedCheckedPaymentAccount);

  /**
   * Has the service compare the account with its provider; the account's `comparison` tells when
   * that was done.
   */
  compare = (provider: string) =>
    this.write(pathWith`payment-accounts/${provider}/compare`, ReceivedPaymentAccount);

  /** Compares a statement; only `is_confirmed` changes something: it opens and closes tasks. */
  statement = (provider: string, body: CompareStatement) =>
    this.write(
      pathWith`payment-accounts/${provider}/statement`,
      ReceivedComparedStatement,
      body,
    );
}

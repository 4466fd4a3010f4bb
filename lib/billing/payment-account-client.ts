import "server-only";
import {
  type CompareStatement,
  ReceivedCheckedPaymentAccount,
  ReceivedComparedStatement,
  ReceivedPaymentAccount,
  ReceivedPaymentAccounts,
  type SavePaymentAccount,
} from "#contract/payment-accounts.ts";
import { AccountApi, PROVIDER_CHECK, pathWith, type AccountApiOptions } from "./account-api.ts";

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

  /** @param providers every one that is set up, in the new order */
  order = (providers: string[]) =>
    this.write("payment-accounts/order", ReceivedPaymentAccounts, { providers });

  /** Asks the provider; no money moves. */
  check = (provider: string) =>
    this.write(pathWith`payment-accounts/${provider}/check`, ReceivedCheckedPaymentAccount);

  /** Has the service compare the account with its provider; `comparison` says when it has. */
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

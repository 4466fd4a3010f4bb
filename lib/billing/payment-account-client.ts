import "server-only";
import {
  type CheckedPaymentAccount,
  type ComparedStatement,
  type CompareStatement,
  type PaymentAccounts,
  ReceivedCheckedPaymentAccount,
  ReceivedComparedStatement,
  ReceivedPaymentAccount,
  ReceivedPaymentAccounts,
  type SavedPaymentAccount,
  type SavePaymentAccount,
} from "#contract/payment-accounts.ts";
import { ACCOUNT_ROOT } from "./discovery.ts";
import { pathSegment, Transport } from "./transport.ts";

/** The service asks a provider for up to 15 seconds. */
const CHECK_TIMEOUT = 20_000;

const ACCOUNTS = `${ACCOUNT_ROOT}/payment-accounts`;
const pathOf = (provider: string, ...verb: string[]) =>
  [ACCOUNTS, pathSegment(provider), ...verb].join("/");

/** The seller's accounts at payment providers. All methods throw AppError. */
export class PaymentAccountClient {
  readonly #transport: Transport;

  constructor({ baseUrl, token }: { baseUrl: string; token: string }) {
    this.#transport = new Transport({
      baseUrl,
      connect: async () => ({ apiKey: token }),
      writeTimeout: CHECK_TIMEOUT,
    });
  }

  /** The accounts in the buyers' order, and the available providers; without secrets. */
  list(): Promise<PaymentAccounts> {
    return this.#transport.read({
      path: ACCOUNTS,
      answer: ReceivedPaymentAccounts,
      isPage: true,
    });
  }

  /** @throws AppError `conflict` with status 409 if `version` is not the newest */
  save(provider: string, body: SavePaymentAccount): Promise<SavedPaymentAccount> {
    const path = pathOf(provider);
    return this.#transport.write({ path, body, answer: ReceivedPaymentAccount });
  }

  /** @throws AppError `conflict` with status 409 while payments there can still change */
  remove(provider: string): Promise<PaymentAccounts> {
    const path = pathOf(provider, "remove");
    return this.#transport.write({ path, answer: ReceivedPaymentAccounts });
  }

  /** @param providers every one that is set up, in the new order */
  order(providers: string[]): Promise<PaymentAccounts> {
    const path = `${ACCOUNTS}/order`;
    return this.#transport.write({
      path,
      body: { providers },
      answer: ReceivedPaymentAccounts,
    });
  }

  /** Asks the provider; no money moves. */
  check(provider: string): Promise<CheckedPaymentAccount> {
    const path = pathOf(provider, "check");
    return this.#transport.write({ path, answer: ReceivedCheckedPaymentAccount });
  }

  /** Has the service compare the account with its provider; `comparison` says when it has. */
  compare(provider: string): Promise<SavedPaymentAccount> {
    const path = pathOf(provider, "compare");
    return this.#transport.write({ path, answer: ReceivedPaymentAccount });
  }

  /** Compares a statement; only `is_confirmed` changes something: it opens and closes tasks. */
  statement(provider: string, body: CompareStatement): Promise<ComparedStatement> {
    const path = pathOf(provider, "statement");
    return this.#transport.write({ path, body, answer: ReceivedComparedStatement });
  }
}

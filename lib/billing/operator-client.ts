import "server-only";
import type { VerificationState } from "#contract/names.ts";
import {
  ReceivedDocumentContent,
  ReceivedOperatorAccount,
  ReceivedOperatorAccountList,
  type DocumentContent,
  type OperatorAccount,
} from "#contract/verification.ts";
import { AppError } from "#lib/failure.ts";
import { billingUrl, operatorToken } from "#lib/env.ts";
import { pathSegment, Transport } from "./transport.ts";

const root = "operator/v1/accounts";
const pathOf = (account: number) => `${root}/${pathSegment(String(account))}`;

export type Decision = "approve" | "return" | "suspend";

/** The operator's requests to the live service. All methods throw AppError. */
export class OperatorClient {
  readonly #transport: Transport;

  /** @throws AppError `mode_absent` where this installation has no operator's token */
  constructor() {
    const baseUrl = billingUrl("live");
    const token = operatorToken();
    if (baseUrl === null || token === null) throw new AppError({ kind: "mode_absent" });
    this.#transport = new Transport({ baseUrl, connect: async () => ({ apiKey: token }) });
  }

  /**
   * Accounts that wait longest come first.
   * @param state null for all
   */
  async listAccounts(state: VerificationState | null): Promise<OperatorAccount[]> {
    const answer = ReceivedOperatorAccountList;
    const { results } = await this.#transport.read({ path: root, query: { state }, answer });
    return results;
  }

  readAccount(account: number): Promise<OperatorAccount> {
    return this.#transport.read({ path: pathOf(account), answer: ReceivedOperatorAccount });
  }

  readDocument(account: number, id: string): Promise<DocumentContent> {
    const path = `${pathOf(account)}/documents/${pathSegment(id)}`;
    return this.#transport.read({ path, answer: ReceivedDocumentContent });
  }

  /** @param note what the business is told; needed to return and to suspend */
  decide(account: number, decision: Decision, note: string | null): Promise<OperatorAccount> {
    return this.#transport.write({
      path: `${pathOf(account)}/${decision}`,
      ...(note !== null && { body: { note } }),
      answer: ReceivedOperatorAccount,
    });
  }
}

import {
  callActionByName,
  createOwner,
  sendRequest,
  actionOutcomeOf,
} from "../../../e2e/support/intruder.ts";
import type { SellerClient } from "./testbed.ts";
import { ensureThat } from "./wait-until.ts";

/** Signs in an owner at the dashboard and connects the seller's API key. */
export async function openDashboardClient(sellerClient: SellerClient) {
  const owner = await createOwner("Faults");
  const { seller, cookie } = owner;
  const scope = { seller, mode: "test" };
  const connected = await callActionByName(
    "connectAction",
    seller,
    [scope, { api_key: sellerClient.key }],
    owner,
  );
  ensureThat(
    actionOutcomeOf(connected) === "ok",
    `the key was not taken: ${actionOutcomeOf(connected)}`,
  );
  const get = async (path: string) => {
    const answer = await sendRequest(path, { cookie });
    return { status: answer.status, text: await answer.text() };
  };
  /** Calls an action. @returns "ok", the kind of failure, or the status with its Retry-After */
  const act = async (name: string, input: unknown): Promise<string> => {
    const waits: string[] = [];
    const request = {
      cookie,
      onAnswer: ({ headers }: Response) => waits.push(headers.get("retry-after") ?? ""),
    };
    const outcome = await callActionByName(name, seller, [scope, input], request).then(
      actionOutcomeOf,
      () => "broken",
    );
    return waits[0] ? `${outcome}, again after ${waits[0]} s` : outcome;
  };
  return {
    seller,
    cookie,
    act,
    page: () => get(`/${seller}/test/subscriptions`),
    /** Reads the list as data. @returns "200", or the status with the kind of failure */
    read: async (): Promise<string> => {
      const { status, text } = await get(`/api/${seller}/test/subscriptions`);
      const kind = /"kind":"(\w+)"/.exec(text)?.[1];
      return status === 200 ? "200" : `${status} ${kind ?? "without words"}`;
    },
    create: (client = sellerClient.newBuyer()) =>
      act("createSubscriptionAction", sellerClient.order(client)),
  };
}

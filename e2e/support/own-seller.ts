import type { Page } from "@playwright/test";
import { callActionByName, actionOutcomeOf, signInForCookies } from "./intruder.ts";
import { recordSecret } from "./secret-search.ts";
import { addMember, createPerson, createSellerOf } from "./person.ts";
import { duebookUrl, expect } from "./seller.ts";
import { openPageAs } from "./session.ts";
import { runAdmin } from "./service-admin.ts";
import { productOfWorker } from "./product.ts";

/**
 * The billing service's command line, on the data of this run.
 * @returns what it printed, as JSON
 */
export const runOwnServiceAdmin = (...arguments_: string[]) =>
  runAdmin([...arguments_, "--json"], { DATA_DIR: productOfWorker().dataDirectory });

/** Creates an account at the billing service, unverified by default. */
export async function openAccount(name: string, ...options: string[]) {
  await runOwnServiceAdmin("create-seller", "--name", name, ...options);
  return { name, key: await issueKey(name) };
}

/** @returns a new key of the account */
export async function issueKey(account: string): Promise<string> {
  const printed = await runOwnServiceAdmin("issue-key", "--seller", account);
  const key = /dbk_test_[\w-]+/.exec(printed)?.[0];
  if (!key) throw new Error("the service printed no key");
  recordSecret(key);
  return key;
}

export interface OwnSeller {
  /** The seller's code in URLs. */
  seller: string;
  name: string;
  /** The path of the seller's test mode. */
  home: string;
  /** The API key of the seller's account. */
  key: string;
}

/**
 * Opens a new seller, verified and connected, with its own clock and without products or
 * buyers. Leaves the page at the path in its test mode, signed in as its owner or with the given role.
 */
export async function openOwnSeller(
  page: Page,
  path: string,
  role?: "support" | "viewer",
): Promise<OwnSeller> {
  const owner = await createPerson("Kanchha Tamang");
  const name = "सगरमाथा Honey & Sons";
  const seller = await createSellerOf(owner, name);
  const { key } = await openAccount(`Account of ${seller}`, "--verified");
  const home = `${duebookUrl()}/${seller}/test`;
  const scope = { seller, mode: "test" };
  const cookie = await signInForCookies(owner);
  const connected = await callActionByName("connectAction", seller, [scope, { api_key: key }], {
    cookie,
  });
  expect(actionOutcomeOf(connected)).toBe("ok");
  const person = role ? await createPerson("Sita Rai") : owner;
  if (role) await addMember(person, seller, role);
  await openPageAs(page, person, `${home}${path}`);
  return { seller, name, home, key };
}

/** Adds a yearly box of honey for 12,000 rupees, so 1,000 a month. */
export async function sellHoney(seller: string) {
  const period = {
    interval_type: "year",
    interval_count: 1,
    label: "Yearly",
    price: "12000.00",
  };
  const plans = [{ plan_name: "One box", billing_periods: [period] }];
  await runAdmin(
    ["add-product", "--seller", `Account of ${seller}`, "--json"],
    { DATA_DIR: productOfWorker().dataDirectory },
    JSON.stringify({ name: "Honey", plans }),
  );
}

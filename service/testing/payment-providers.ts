import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { startPaymentSimulators } from "#tools/simulators/start-payment-simulators.ts";
import type { Outcome } from "#tools/simulators/payment-book.ts";
import { PROVIDER_ADAPTERS } from "../providers/adapters.ts";
import {
  ProviderFault,
  type BeginAnswer,
  type BeginDetails,
  type ProviderAdapter,
  type ProviderCharge,
} from "../providers/provider.ts";

export let simulators: Awaited<ReturnType<typeof startPaymentSimulators>>;

/** Starts the simulators for the tests of a file, and clears them between tests. */
export function usePaymentSimulators() {
  beforeAll(async () => {
    simulators = await startPaymentSimulators();
    simulators.setConnectIpsReturns({ success: RETURN, failure: RETURN });
  });
  afterAll(() => simulators.close());
  beforeEach(() => simulators.clear());
}

export const NAMES = [
  "khalti",
  "esewa",
  "connectips",
  "fonepay",
  "fonepay_qr",
  "stripe",
] as const;
export type Name = (typeof NAMES)[number];
export const BEGINS_AT_PROVIDER: Name[] = ["khalti", "fonepay_qr", "stripe"];
const RETURN = "https://pay.example/pay-return/x";

export const adapterOf = (name: Name): ProviderAdapter => {
  const found = PROVIDER_ADAPTERS.find(({ provider }) => provider === name);
  if (!found) throw new Error(`no adapter for ${name}`);
  return found;
};
export const io = () => ({ signal: new AbortController().signal, allowPrivate: true });
export const settingsOf = (name: Name, changed: Record<string, unknown> = {}) => ({
  ...simulators.providers[name].settings,
  ...changed,
});
export const bookOf = (name: Name) => simulators.providers[name].book;
export const simulatorOf = (name: Name) => simulators.providers[name].simulator;

export const chargeFor = (
  name: Name,
  changed: Partial<ProviderCharge> = {},
): ProviderCharge => {
  const charge_id = crypto.randomUUID();
  return {
    seller_id: 1,
    charge_id,
    reference: adapterOf(name).referenceOf(charge_id),
    amount: "1200.50",
    currency: "NPR",
    begun_at: new Date(),
    transaction_id: null,
    ...changed,
  };
};
const DETAILS: BeginDetails = {
  label: "Phewa Yoga: Gold, 1 month",
  website: "https://phewa.example",
  return_url: RETURN,
  notice_url: "https://pay.example/pay-notices/x",
  buyer: { name: "Asha Gurung", phone: "+9779812345678", email: "asha@buyer.example" },
  language: "en",
};

export const begin = (
  name: Name,
  charge: ProviderCharge,
  changed: Record<string, unknown> = {},
) => adapterOf(name).begin(charge, DETAILS, settingsOf(name, changed), io());
export const inquire = (
  name: Name,
  charge: ProviderCharge,
  changed: Record<string, unknown> = {},
) => adapterOf(name).inquire(charge, settingsOf(name, changed), io());
export const refund = (
  name: Name,
  charge: ProviderCharge,
  amount = charge.amount,
  key = "refund-1",
) => adapterOf(name).refund(charge, { amount, key, refund_id: null }, settingsOf(name), io());

/** Follows the hand-over of `begin` as a browser does, up to the provider's own page. */
export async function handOver(answer: BeginAnswer): Promise<Response> {
  if (answer.state !== "begun")
    throw new Error(`the charge was not begun: ${JSON.stringify(answer)}`);
  const { hand_over } = answer;
  if (hand_over.kind === "form")
    return fetch(hand_over.action, {
      method: "POST",
      body: new URLSearchParams(hand_over.fields),
    });
  return fetch(
    hand_over.kind === "redirect" ? hand_over.url : (hand_over as { text: string }).text,
  );
}

/** Begins a charge and takes the buyer to the provider's page. */
export async function open(name: Name, changed: Partial<ProviderCharge> = {}) {
  const charge = chargeFor(name, changed);
  const answer = await begin(name, charge);
  const page = await handOver(answer);
  expect(page.status).toBe(200);
  const reference = answer.state === "begun" ? answer.reference : "";
  if (charge.reference !== null) expect(reference).toBe(charge.reference);
  return { ...charge, reference };
}

/**
 * Plays the buyer's browser on the provider's page.
 * @returns the query of the URL to which it is sent then; null if it stays on the page
 */
export async function decideOnPage(name: Name, reference: string, outcome: Outcome) {
  const response = await fetch(`${simulatorOf(name).url}/pay`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ reference, outcome }),
  });
  const location = response.headers.get("location");
  return location === null ? null : Object.fromEntries(new URL(location).searchParams);
}

/** Words that no text of an adapter may contain. */
const PRIVATE = [
  "12345678",
  "Asha",
  "asha@buyer",
  "khalti-key",
  "8gBm",
  "connectips-password",
  "PRIVATE KEY",
  "fonepay-key",
  "fonepay-password",
  "SimulatedKey",
  "whsec_simulated",
];
export const expectClean = (said: unknown) => {
  const text =
    said instanceof Error ? `${said.message} ${String(said.cause)}` : JSON.stringify(said);
  for (const part of PRIVATE) expect(text).not.toContain(part);
};

/** The fault of a call; fails if there was an answer. */
export async function faultOf(call: Promise<unknown>): Promise<ProviderFault> {
  const outcome = await call.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
  if (!("error" in outcome))
    throw new Error(`the provider answered without a fault: ${JSON.stringify(outcome.answer)}`);
  expect(outcome.error).toBeInstanceOf(ProviderFault);
  const fault = outcome.error as ProviderFault;
  expectClean(fault);
  return fault;
}

export const LONG_AGO = new Date(Date.now() - 3 * 3_600_000);

import { PAYMENT_OUTCOMES } from "#contract/names.ts";
import type { Random } from "../../seed/random.ts";
import {
  choosePaymentOutcome,
  notifyOfPayment,
  fetchCheckoutPage,
  requestCode,
  submitCodePage,
} from "../checkout-forms.ts";
import { reloading } from "../remote.ts";
import type { ServiceClient } from "../service.ts";
import type { Ledger } from "./ledger.ts";

const LOOKS = 5;
const PROVIDER_PAGE = /\/sandbox-pay\/([0-9a-f-]{36})/;

/** Submits the checkout's forms; after a broken connection the buyer reloads or gives up. */
export async function payCheckout(
  services: ServiceClient,
  { id, random }: { id: string; random: Random },
  ledger: Ledger,
): Promise<void> {
  const client = reloading(services);
  const leaves = () => random.chance(0.08);
  const ahead = random.chance(0.3) ? { early: "1" } : {};
  const attempt = await requestCode(client, id, {
    method: random.pick(["wallet", "bank"]),
    ...ahead,
  });
  if (attempt === "" || leaves()) return;
  const address = `/pay/${id}?attempt=${attempt}`;
  const { path } = await submitCodePage(client, id, attempt);
  const [, reference] = PROVIDER_PAGE.exec(path) ??
    PROVIDER_PAGE.exec((await fetchCheckoutPage(client, address)).body) ?? [null, null];
  if (!reference || leaves()) return;
  await choosePaymentOutcome(
    client,
    reference,
    random.chance(0.7) ? "approve" : random.pick(PAYMENT_OUTCOMES),
  );
  if (leaves()) return;
  if (random.chance(0.5))
    await Promise.all([notifyOfPayment(client, reference), notifyOfPayment(client, reference)]);
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const { body } = await fetchCheckoutPage(client, address);
    if (body.includes("Payment received")) ledger.receipts.add(attempt);
    if (!body.includes("Waiting for")) return;
  }
}

import { findUsableAttempt, methodsOf } from "./attempt.ts";
import { selectCharges } from "./charges/store.ts";
import { periodsAgain } from "./again/start.ts";
import { isCodeOpen, testCodeOf } from "./codes.ts";
import { followUpAttempt, withinPageTimeout } from "./follow-up.ts";
import {
  isPayable,
  isStillOwed,
  canPayEarly,
  openCheckout,
  takesPayments,
  type ShownCheckout,
} from "./open.ts";
import type { PayMethod } from "./charges/methods.ts";
import type { PageFrame } from "./page.ts";
import { codePage, startPage, unavailablePage, waitingPage } from "./pay-pages.ts";
import { isPayer, isProven } from "./payer.ts";
import { accountName, type PaymentContext } from "./provider.ts";
import { isUuid } from "../http/ids.ts";
import { textByName, type PageReader } from "./reader.ts";
import { receiptPage, refundedPage, settledPage } from "./settled-pages.ts";
import {
  selectAskedAttempts,
  selectAttempt,
  selectBillLinks,
  selectNewestAttempt,
  selectNewestPayment,
  type Attempt,
  type AttemptPayment,
  type BillLink,
} from "./store.ts";

interface PageRequest {
  id: string;
  attemptId: string | null;
  outcome: string;
  early: boolean;
  /** Whether the buyer asked for another payment method although a code was sent. */
  chooses: boolean;
  /** The browser's cookies; one may prove that the code was entered in this browser. */
  cookies: string | undefined;
  reader: PageReader;
}

/** The page for that URL in the current state, whatever page was open before. */
export async function checkoutPageFor(
  payments: PaymentContext,
  request: PageRequest,
  onError: (error: unknown) => void,
): Promise<PageFrame> {
  const { id, attemptId } = request;
  const attempt = attemptId
    ? await currentAttempt(payments, id, attemptId, onError)
    : await waitingAttempt(payments, request, onError);
  const checkout = await openCheckout(payments.pool, id, payments.now());
  const frame = await frameFor(payments, checkout, { ...request, attempt });
  return { ...frame, branding: checkout.branding };
}

async function frameFor(
  payments: PaymentContext,
  checkout: ShownCheckout,
  request: Omit<PageRequest, "id"> & { attempt: Attempt | null },
): Promise<PageFrame> {
  const { attempt, attemptId, outcome, early, chooses, cookies, reader } = request;
  const { outcome: outcomes } = reader.texts;
  const said = textByName(outcomes, outcome);
  const query = {
    ...(said && { outcome }),
    ...(early && { early: "1" }),
    ...(chooses && { choose: "1" }),
  };
  const { subscription } = checkout;
  const newest = await selectNewestPayment(payments.pool, subscription);
  const isKnown = isProven(payments, subscription.subscription_id, cookies);
  const methods = await methodsOf(payments, payments.pool, checkout);
  const { mode } = payments;
  const nameOf = (paid: Pick<Attempt, "account_id">) => accountName(payments, paid.account_id);
  if (attempt && (attemptId !== null || isStillOwed(attempt, subscription))) {
    const name = await nameOf(attempt);
    const isHeld = attempt.state === "pending" && (await isChecked(payments, attempt));
    const bills =
      attempt.payment_id !== null && isPayer(payments, attempt.attempt_id, cookies)
        ? await selectBillLinks(payments.pool, attempt.seller_id, attempt.payment_id)
        : [];
    const clock = payments.now();
    const shown = { outcome, clock, mode, methods, isKnown, name, isHeld, bills, reader };
    const frame = pageOfAttempt(checkout, attempt, newest, shown);
    if (frame) return { ...frame, query: { ...query, attempt: attempt.attempt_id } };
  }
  if (!isPayable(subscription) && !(early && canPayEarly(subscription))) {
    const periods = await periodsAgain(payments.pool, checkout, mode);
    const named = newest && { ...newest, name: await nameOf(newest) };
    return settledPage(checkout, named, { periods, outcome }, reader);
  }
  if (!takesPayments(checkout) || methods.length === 0)
    return unavailablePage(checkout, reader);
  if (said === null && attemptId === null && !chooses) {
    const sent = await findUsableAttempt(payments.pool, subscription, payments.now());
    if (sent) {
      const name = await nameOf(sent);
      const shown = { attempt: sent, outcome, name, ...shownCodeOf(payments, sent, methods) };
      return { ...codePage(checkout, shown, reader), query };
    }
  }
  return {
    ...startPage(
      checkout,
      { methods, mode, isKnown, message: startMessage(reader, { attemptId, outcome }) },
      reader,
    ),
    query,
  };
}

/** The code in test mode, and the way to pay for the form that requests another code. */
const shownCodeOf = (
  { mode }: Pick<PaymentContext, "mode">,
  { attempt_id, account_id, method }: Attempt,
  methods: PayMethod[],
) => ({
  code: mode === "test" ? testCodeOf(attempt_id) : null,
  value:
    methods.find((each) => account_id !== null && each.account_id === account_id)?.value ??
    method,
});

function startMessage(
  { texts: { outcome: texts } }: PageReader,
  { attemptId, outcome }: Pick<PageRequest, "attemptId" | "outcome">,
): string | null {
  const early = attemptId ? texts.expired : texts.used_up;
  if (outcome === "too_soon") return early;
  return textByName(texts, outcome) ?? (attemptId ? texts.expired : null);
}

/** Whether the attempt's result waits for a person. */
async function isChecked({ pool }: PaymentContext, attempt: Attempt): Promise<boolean> {
  const charges = await selectCharges(pool, attempt);
  const has = (...states: string[]) => charges.some(({ state }) => states.includes(state));
  return has("held") && !has("open", "claimed");
}

/**
 * The attempt of a buyer who opens the link again, for example after the way back from the provider
 * failed: asks about up to three attempts that may still be paid.
 * @returns the newest that waits, unless the buyer has asked for a code after it
 */
async function waitingAttempt(
  payments: PaymentContext,
  { id, outcome, chooses, reader }: PageRequest,
  onError: (error: unknown) => void,
): Promise<Attempt | null> {
  if (!isUuid(id)) return null;
  const { pool, now } = payments;
  const asked = await selectAskedAttempts(pool, id);
  if (asked.length === 0) return null;
  await withinPageTimeout(
    Promise.all(asked.map((each) => followUpAttempt(payments, each).catch(onError))),
  );
  if (chooses || textByName(reader.texts.outcome, outcome) !== null) return null;
  const newest = await selectNewestAttempt(pool, id);
  const [waiting] = await selectAskedAttempts(pool, id);
  if (waiting?.state !== "pending") return null;
  const isLeft = newest && isCodeOpen(newest, now()) && newest.created_at > waiting.created_at;
  return isLeft ? null : waiting;
}

/**
 * The current attempt. Asks the provider about an unfinished one first; an error is left to a later
 * call.
 */
async function currentAttempt(
  payments: PaymentContext,
  id: string,
  attemptId: string,
  onError: (error: unknown) => void,
): Promise<Attempt | null> {
  const attempt = await selectAttempt(payments.pool, id, attemptId);
  if (!attempt || !["pending", "returning", "failed"].includes(attempt.state)) return attempt;
  const asking = followUpAttempt(payments, attempt).catch(onError);
  await (attempt.account_id === null ? asking : withinPageTimeout(asking));
  return selectAttempt(payments.pool, id, attemptId);
}

function pageOfAttempt(
  checkout: ShownCheckout,
  attempt: Attempt,
  newest: AttemptPayment | null,
  {
    outcome,
    clock,
    mode,
    methods,
    isKnown,
    name,
    isHeld,
    bills,
    reader,
  }: Pick<PaymentContext, "mode"> & {
    outcome: string;
    clock: Date;
    methods: PayMethod[];
    isKnown: boolean;
    name: string | null;
    isHeld: boolean;
    bills: BillLink[];
    reader: PageReader;
  },
): PageFrame | null {
  const { subscription } = checkout;
  const isOwed =
    takesPayments(checkout) &&
    methods.length > 0 &&
    (isPayable(subscription) || canPayEarly(subscription));
  const texts = reader.texts.outcome;
  switch (attempt.state) {
    case "open":
      return isOwed && isCodeOpen(attempt, clock)
        ? codePage(
            checkout,
            { attempt, outcome, name, ...shownCodeOf({ mode }, attempt, methods) },
            reader,
          )
        : null;
    case "pending":
      return waitingPage(checkout, { attempt, name, isHeld }, reader);
    case "paid":
      return receiptPage(checkout, { attempt, newest, mode, name, bills }, reader);
    case "failed":
      return isOwed
        ? startPage(
            checkout,
            {
              methods,
              mode,
              isKnown,
              message: textByName(texts, attempt.reason) ?? textByName(texts, outcome),
            },
            reader,
          )
        : null;
    case "returning":
    case "returned":
      return refundedPage(checkout, attempt, reader);
    case "spent":
      return null;
  }
}

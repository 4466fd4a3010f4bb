import { isOpen } from "./attempt.ts";
import { followUp } from "./follow-up.ts";
import { isPayable, isPayableAhead, openCheckout, type Checkout } from "./open.ts";
import type { Frame } from "./page.ts";
import { textAt, type Reader } from "./reader.ts";
import { codePage, startPage, waitingPage } from "./pay-pages.ts";
import { receiptPage, returnedPage, settledPage } from "./settled-pages.ts";
import { selectAttempt, type Attempt } from "./store.ts";
import type { Till } from "./till.ts";

export interface Address {
  id: string;
  attemptId: string | null;
  outcome: string;
  ahead: boolean;
  reader: Reader;
}

/** The page for that address as things stand now, whatever was open, reloaded or gone back to. */
export async function pageFor(
  till: Till,
  { id, attemptId, outcome, ahead, reader }: Address,
  onError: (error: unknown) => void,
): Promise<Frame> {
  const attempt = attemptId && (await currentAttempt(till, id, attemptId, onError));
  const checkout = await openCheckout(till.pool, id, till.now());
  const { outcome: outcomes } = reader.words;
  const said = textAt(outcomes, outcome);
  const query = { ...(said && { outcome }), ...(ahead && { ahead: "1" }) };
  if (attempt) {
    const frame = pageOfAttempt(checkout, attempt, { said, clock: till.now(), reader });
    if (frame) return { ...frame, query: { ...query, attempt: attempt.attempt_id } };
  }
  const { subscription } = checkout;
  if (!isPayable(subscription) && !(ahead && isPayableAhead(subscription)))
    return settledPage(checkout, reader);
  const message = said ?? (attemptId ? outcomes.expired : null);
  return { ...startPage(checkout, reader, message), query };
}

/** Asked about at the provider first, if it has no end yet; a provider that fails is asked later. */
async function currentAttempt(
  { pool, ...till }: Till,
  id: string,
  attemptId: string,
  onError: (error: unknown) => void,
): Promise<Attempt | null> {
  const attempt = await selectAttempt(pool, id, attemptId);
  if (attempt?.state !== "pending" && attempt?.state !== "returning") return attempt;
  await followUp({ pool, ...till }, attempt).catch(onError);
  return selectAttempt(pool, id, attemptId);
}

/** Null where the attempt has nothing to show any more. */
function pageOfAttempt(
  checkout: Checkout,
  attempt: Attempt,
  { said, clock, reader }: { said: string | null; clock: Date; reader: Reader },
): Frame | null {
  const { subscription } = checkout;
  const isOwed = isPayable(subscription) || isPayableAhead(subscription);
  const failure = textAt(reader.words.outcome, attempt.reason);
  switch (attempt.state) {
    case "open":
      return isOwed && isOpen(attempt, clock)
        ? codePage(checkout, { attempt, message: said }, reader)
        : null;
    case "pending":
      return waitingPage(checkout, attempt, reader);
    case "paid":
      return receiptPage(checkout, attempt, reader);
    case "failed":
      return isOwed ? startPage(checkout, reader, failure ?? said) : null;
    case "returning":
    case "returned":
      return returnedPage(checkout, attempt, reader);
    case "spent":
      return null;
  }
}

const MESSAGES: Record<string, string> = {
  declined:
    "The payment was declined and nothing was charged. You can try again or choose another way.",
  insufficient_balance:
    "There was not enough balance and nothing was charged. Top up and try again, or choose another way.",
  timed_out: "It took too long and nothing was charged. You can try again.",
  left: "The payment was not confirmed and nothing was charged. You can try again.",
  expired: "That code is no longer valid. Ask for a new one.",
  too_many: "Too many codes were asked for. Wait an hour, then try again.",
  duplicate: "This buyer already has this subscription. Nothing was charged.",
  wrong_code: "That is not the code. Look again and type its six digits.",
  price_changed:
    "The price has changed since this page was opened. Nothing was charged; please look again.",
};

/** What a page says first, by how the step before it ended; an address can name anything. */
export const messageOf = (outcome: string): string | null =>
  Object.hasOwn(MESSAGES, outcome) ? (MESSAGES[outcome] ?? null) : null;

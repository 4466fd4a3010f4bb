import "server-only";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import { phoneSpellings } from "#contract/process/phone-number.ts";
import type { MessageClient } from "#lib/billing/message-client.ts";

/** Phones, by every key under which they may be stored, and mail addresses. */
export interface OptedOut {
  phone_keys: string[];
  emails: string[];
}

/** Everybody who wants no reminders. */
export async function readOptedOut(
  messages: Pick<MessageClient, "listOptOuts">,
  time_zone: string,
): Promise<OptedOut> {
  const all: OptedOut = { phone_keys: [], emails: [] };
  let before: number | null = null;
  do {
    const { results, next } = await messages.listOptOuts({ before, page_size: MAX_PAGE_SIZE });
    for (const { phone, email } of results) {
      all.phone_keys.push(...phoneSpellings(phone, { time_zone }));
      if (email !== "") all.emails.push(email.toLowerCase());
    }
    const last = results.at(-1)?.id ?? null;
    // A service that does not know the cursor sends the same page again.
    before = next === null || last === before ? null : last;
  } while (before !== null);
  return all;
}

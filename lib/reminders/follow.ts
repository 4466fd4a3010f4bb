import "server-only";
import type { SentMessage } from "#contract/messages.ts";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import type { Planning } from "./hand-over.ts";
import { isAnyOnItsWay, storeStates } from "./store.ts";

const MOST_PAGES = 3;

type Following = Pick<Planning, "db" | "owner" | "now"> & {
  messages: Pick<Planning["messages"], "listMessages">;
};

/**
 * Stores the newest states of reminders that were handed over, while any of the last day is not known
 * to have been sent.
 */
export async function followMessages(following: Following): Promise<void> {
  const { db, owner, now } = following;
  let before: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    if (!(await isAnyOnItsWay(db, owner, now()))) return;
    const messages: SentMessage[] = await readNewest(following, before);
    before = messages.at(-1)?.id ?? null;
    if (messages.length < MAX_PAGE_SIZE) return;
  }
}

/** Reads a page of messages, newest first, and stores the states of reminders. */
export async function readNewest(
  { db, owner, messages }: Following,
  before: string | null = null,
): Promise<SentMessage[]> {
  const { results } = await messages.listMessages({
    subscription_id: null,
    state: null,
    kind: "reminder",
    before,
    page_size: MAX_PAGE_SIZE,
  });
  await storeStates(db, owner, results);
  return results;
}

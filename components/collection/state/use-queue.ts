import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useDebounced, useSearchText } from "#components/list/filters/use-words.ts";
import { useScope, useSeller } from "#components/context/seller-context.tsx";
import {
  buyerQuery,
  collectionKey,
  queueQuery,
  collectionSettingsQuery,
  type CollectionBuyer,
  type QueueEntry,
  type QueuePage,
} from "#lib/collection/queries.ts";
import { plannedQuery } from "#lib/messages/schedule/queries.ts";
import type { OutreachOutcome } from "#lib/collection/outreach.ts";
import {
  graceDaysOf,
  collectionStatusOf,
  type Contact,
  type ContactSummary,
} from "#lib/collection/rules.ts";
import {
  openBuyerFrom,
  queuePath,
  parseQueueSearch,
  queueCursorFrom,
  type QueueSearch,
} from "#lib/collection/search.ts";
import { useServiceNow } from "./entry-status.tsx";
import { useOutreach } from "#components/collection/state/use-outreach.ts";
import { useSelection } from "./use-selection.ts";

/** The last action, which is announced and can be undone. */
interface LastAction {
  text: string;
  /** The contact to undo; null if none. */
  contact: Pick<Contact, "id"> | null;
  subscription_id: string;
  /** The opened URL, to open it again. */
  again?: string | undefined;
  /** Text that could not be copied. */
  uncopied?: string | undefined;
}

/** The current state, for answers that arrive late. */
interface Held {
  said: LastAction | null;
  first: string | null;
  order: Pick<ReturnType<typeof useStillOrder>, "entries" | "isGone">;
}

const addressNow = () => new URLSearchParams(window.location.search);

const idOf = ({ subscription }: QueueEntry) => subscription.subscription_id;

/** The queue of the URL, the open buyer and the last action. */
export function useQueue() {
  const parameters = useSearchParams();
  const scope = useScope();
  const search = parseQueueSearch(parameters);
  const after = queueCursorFrom(parameters);
  const asked = openBuyerFrom(parameters);
  const [line, setLine] = useSearchText("collection");
  const words = useDebounced(line.trim());
  const query = useQuery(queueQuery(scope, search, words, after));
  const setting = useQuery(collectionSettingsQuery(scope));
  const key = JSON.stringify([search, words, after]);
  const order = useStillOrder(key, query.isPlaceholderData ? undefined : query.data?.entries);
  const [said, setSaid] = useState<LastAction | null>(null);
  /** The buyer opened by an action; a clicked row keeps its focus. */
  const [arrival, setArrival] = useState<string | null>(null);
  const first = useHeldFirst(key, order.entries);
  const openId = asked ?? first;
  const outreach = useOutreach();
  const selection = useSelection(
    JSON.stringify([search, words]),
    order.entries.filter((one) => !order.isGone(one)),
  );
  const entry = order.entries.find((one) => idOf(one) === openId);

  const held = useRef<Held | null>(null);
  useEffect(() => {
    held.current = { said, first, order };
    return () => {
      held.current = null;
    };
  });

  /** The buyer who is open now, not at render: an answer may arrive long after the click. */
  const openNow = (): string | null =>
    held.current && (openBuyerFrom(addressNow()) ?? held.current.first);

  const saidNow = (): LastAction | null => held.current?.said ?? null;

  /**
   * Replaces the history entry, so that Back leaves the collection instead of stepping through
   * buyers.
   */
  function open(subscription_id: string | null) {
    // The user has left the page.
    if (held.current === null) return;
    setArrival(subscription_id);
    const now = addressNow();
    const where = { buyer: subscription_id, after: queueCursorFrom(now) };
    window.history.replaceState(null, "", queuePath(scope, parseQueueSearch(now), where));
  }

  const { next } = outreach;
  /** Whether the open buyer is the outreach's current recipient. */
  const isOutreachOpen = next !== null && outreach.run?.isPaused === false && asked === next.id;

  /** Opens the next buyer. @returns what comes next: another buyer, or the end */
  function openNext(done: string, outcome: OutreachOutcome): "next" | "allDone" | "runDone" {
    const isTurn = outreach.turn() === done && openBuyerFrom(addressNow()) === done;
    const isOpen = openNow() === done;
    const following = outreach.pass(done, outcome);
    // A user who has opened another buyer stays there.
    if (!isOpen || held.current === null) return "next";
    if (isTurn) {
      open(following);
      return following === null ? "runDone" : "next";
    }
    const { entries, isGone } = held.current.order;
    const at = entries.findIndex((one) => idOf(one) === done);
    const later = [...entries.slice(at + 1), ...entries.slice(0, Math.max(0, at))];
    const another = later.find((one) => isOpenEntry(one) && !isGone(one));
    open(another ? idOf(another) : done);
    return another ? "next" : "allDone";
  }

  /** Undoes a recipient's outcome and opens the buyer. */
  function reopen(subscription_id: string) {
    outreach.reopenRecipient(subscription_id);
    open(subscription_id);
  }

  function prepare() {
    const first = outreach.begin(selection.buyers());
    selection.clear();
    open(first);
  }

  return {
    outreach,
    isOutreachOpen,
    selection,
    prepare,
    resume: () => open(outreach.pause(false)),
    stop: () => {
      outreach.pause(true);
      open(null);
    },
    reopen,
    search,
    after,
    line,
    setLine,
    query,
    setting: setting.data,
    order,
    /** The buyer named in the URL; if null, wide screens show the first one. */
    asked,
    openId,
    entry,
    arrival,
    openNow,
    openNext,
    said,
    saidNow,
    setSaid,
    ...useRenewal(search),
  };
}

export type QueueState = ReturnType<typeof useQueue>;

/** The default open buyer, which stays the same after actions. */
function useHeldFirst(key: string, entries: QueueEntry[]): string | null {
  const [held, setHeld] = useState<{ key: string; id: string } | null>(null);
  if (held?.key === key && entries.some((one) => idOf(one) === held.id)) return held.id;
  const first = entries.find(isOpenEntry) ?? entries[0];
  if (!first) return null;
  if (held?.key !== key || held.id !== idOf(first)) setHeld({ key, id: idOf(first) });
  return idOf(first);
}

const isOpenEntry = ({ status }: QueueEntry) => status.turn === "now" && status.group !== null;

/**
 * Updates a buyer's cached status after an action, and refetches the collection and the planned
 * reminders.
 */
function useRenewal(search: QueueSearch) {
  const client = useQueryClient();
  const scope = useScope();
  const { time_zone } = useSeller();
  const now = useServiceNow();
  const renewAll = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: collectionKey(scope) }),
      // A promise or snooze holds reminders.
      client.invalidateQueries({ queryKey: plannedQuery(scope).queryKey }),
    ]);
  function take(subscription_id: string, contacted: ContactSummary) {
    const setting = client.getQueryData(collectionSettingsQuery(scope).queryKey);
    const grace = setting ? graceDaysOf(setting.grace) : null;
    const renew = (entry: QueueEntry): QueueEntry =>
      idOf(entry) === subscription_id
        ? {
            ...entry,
            contacted,
            status: {
              ...collectionStatusOf(entry.subscription, contacted, entry.failed_at, {
                time_zone,
                now,
                grace,
                ahead: 30,
              }),
              group: entry.status.group,
            },
          }
        : entry;
    client.setQueriesData<QueuePage>(
      { queryKey: [...collectionKey(scope), "queue"] },
      (page) => page && { ...page, entries: page.entries.map(renew) },
    );
    client.setQueryData<CollectionBuyer>(
      buyerQuery(scope, subscription_id, search).queryKey,
      (buyer) => buyer && { ...buyer, entry: renew(buyer.entry) },
    );
    return renewAll();
  }
  return { take, renew: renewAll };
}

/** Keeps the rows in place while the user works; only a button applies the new order. */
function useStillOrder(key: string, current: QueueEntry[] | undefined) {
  const [held, setHeld] = useState({
    key,
    from: current,
    entries: current ?? [],
    gone: new Set<string>(),
  });
  let now = held;
  if (current && (held.key !== key || held.from === undefined))
    now = { key, from: current, entries: current, gone: new Set() };
  else if (current && held.from !== current)
    now = { key, from: current, ...followed(held.entries, current) };
  if (now !== held) setHeld(now);
  const fresh = current?.filter(
    (one) => !now.entries.some((known) => idOf(known) === idOf(one)),
  ).length;
  const order = current?.map(idOf).join(" ");
  const shown = now.entries.filter((one) => !now.gone.has(idOf(one)));
  return {
    entries: now.entries,
    // Contacted buyers are not gone: they moved to a later page.
    isGone: (entry: QueueEntry) => now.gone.has(idOf(entry)) && entry.status.turn === "now",
    fresh: fresh ?? 0,
    isMoved: order !== undefined && order !== shown.map(idOf).join(" "),
    settle: () =>
      setHeld({ key, from: current, entries: current ?? [], gone: new Set<string>() }),
  };
}

function followed(entries: QueueEntry[], current: QueueEntry[]) {
  const byId = new Map(current.map((one) => [idOf(one), one]));
  return {
    entries: entries.map((one) => byId.get(idOf(one)) ?? one),
    gone: new Set(entries.map(idOf).filter((id) => !byId.has(id))),
  };
}

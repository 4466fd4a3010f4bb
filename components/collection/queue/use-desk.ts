import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useDebounced, useWords } from "#components/list/filters/use-words.ts";
import { useScope, useSeller } from "#components/context/seller-context.tsx";
import {
  deskBuyerQuery,
  deskKey,
  deskQuery,
  deskSettingQuery,
  type DeskBuyer,
  type DeskEntry,
  type DeskPage,
} from "#lib/collection/queries.ts";
import type { Outcome } from "#lib/collection/outreach.ts";
import { graceOf, standingOf, type Contact, type Contacted } from "#lib/collection/rules.ts";
import {
  buyerAt,
  deskPath,
  parseDeskSearch,
  placeAt,
  type DeskSearch,
} from "#lib/collection/search.ts";
import { useDeskNow } from "./use-desk-now.ts";
import { usePreparing } from "#components/collection/outreach/use-preparing.ts";
import { useSelection } from "./use-selection.ts";

/** What was done last: said aloud, and taken back by one press. */
export interface Said {
  text: string;
  /** What can be taken back; null where nothing can. */
  contact: Pick<Contact, "id"> | null;
  subscription_id: string;
  /** The address that was opened, to be opened once more. */
  again?: string | undefined;
  /** What could not be copied, to be taken by hand. */
  uncopied?: string | undefined;
}

/** What an answer needs to know of the desk as it stands when it comes. */
interface Held {
  said: Said | null;
  first: string | null;
  order: Pick<ReturnType<typeof useStillOrder>, "entries" | "isGone">;
}

const addressNow = () => new URLSearchParams(window.location.search);

const idOf = ({ subscription }: DeskEntry) => subscription.subscription_id;

/** The queue as it stands in the address, which buyer is open, and what was done last. */
export function useDesk() {
  const parameters = useSearchParams();
  const scope = useScope();
  const search = parseDeskSearch(parameters);
  const after = placeAt(parameters);
  const asked = buyerAt(parameters);
  const [line, setLine] = useWords("collection");
  const words = useDebounced(line.trim());
  const query = useQuery({
    ...deskQuery(scope, search, words, after),
    placeholderData: keepPreviousData,
  });
  const setting = useQuery(deskSettingQuery(scope));
  const key = JSON.stringify([search, words, after]);
  const order = useStillOrder(key, query.isPlaceholderData ? undefined : query.data?.entries);
  const [said, setSaid] = useState<Said | null>(null);
  /** Who was opened by an act, and not by a press on a row that keeps its focus. */
  const [arrival, setArrival] = useState<string | null>(null);
  const first = useHeldFirst(key, order.entries);
  const openId = asked ?? first;
  const preparing = usePreparing();
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

  /** Who is open now, and not when it was rendered: an answer may come long after its press. */
  const openNow = (): string | null =>
    held.current && (buyerAt(addressNow()) ?? held.current.first);

  const saidNow = (): Said | null => held.current?.said ?? null;

  /** Only another state of the same page: the way back leads out of the desk, not through every buyer. */
  function open(subscription_id: string | null) {
    // Whoever has left the desk stays where they went.
    if (held.current === null) return;
    setArrival(subscription_id);
    const now = addressNow();
    const where = { buyer: subscription_id, after: placeAt(now) };
    window.history.replaceState(null, "", deskPath(scope, parseDeskSearch(now), where));
  }

  const { next } = preparing;
  /** The open buyer is the one whose message is next of those that are prepared. */
  const isPreparing = next !== null && preparing.run?.isPaused === false && asked === next.id;

  /** @returns what comes after it: another buyer, or that nobody is left to do */
  function openNext(done: string, outcome: Outcome): "next" | "allDone" | "runDone" {
    const isTurn = preparing.turn() === done && buyerAt(addressNow()) === done;
    const isOpen = openNow() === done;
    const following = preparing.pass(done, outcome);
    // Whoever went on meanwhile is not called away from where they are.
    if (!isOpen || held.current === null) return "next";
    if (isTurn) {
      open(following);
      return following === null ? "runDone" : "next";
    }
    const { entries, isGone } = held.current.order;
    const at = entries.findIndex((one) => idOf(one) === done);
    const later = [...entries.slice(at + 1), ...entries.slice(0, Math.max(0, at))];
    const another = later.find((one) => isToDo(one) && !isGone(one));
    open(another ? idOf(another) : done);
    return another ? "next" : "allDone";
  }

  /** What was done about a buyer is taken back. */
  function reopen(subscription_id: string) {
    preparing.takeUp(subscription_id);
    open(subscription_id);
  }

  function prepare() {
    const first = preparing.begin(selection.buyers());
    selection.clear();
    open(first);
  }

  return {
    preparing,
    isPreparing,
    selection,
    prepare,
    resume: () => open(preparing.pause(false)),
    stop: () => {
      preparing.pause(true);
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
    /** Null where the address names none, and the first one is shown where there is room for it. */
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

export type Desk = ReturnType<typeof useDesk>;

/** Who stands open while the address names nobody: the same one, whatever is done meanwhile. */
function useHeldFirst(key: string, entries: DeskEntry[]): string | null {
  const [held, setHeld] = useState<{ key: string; id: string } | null>(null);
  if (held?.key === key && entries.some((one) => idOf(one) === held.id)) return held.id;
  const first = entries.find(isToDo) ?? entries[0];
  if (!first) return null;
  if (held?.key !== key || held.id !== idOf(first)) setHeld({ key, id: idOf(first) });
  return idOf(first);
}

export const isToDo = ({ standing }: DeskEntry) =>
  standing.turn === "now" && standing.group !== null;

/** Shows at once how a buyer stands after an act, and has everything counted again. */
function useRenewal(search: DeskSearch) {
  const client = useQueryClient();
  const scope = useScope();
  const { time_zone } = useSeller();
  const now = useDeskNow();
  const renewAll = () => client.invalidateQueries({ queryKey: deskKey(scope) });
  function take(subscription_id: string, contacted: Contacted) {
    const setting = client.getQueryData(deskSettingQuery(scope).queryKey);
    const grace = setting ? graceOf(setting.grace) : null;
    const renew = (entry: DeskEntry): DeskEntry =>
      idOf(entry) === subscription_id
        ? {
            ...entry,
            contacted,
            standing: {
              ...standingOf(entry.subscription, contacted, entry.failed_at, {
                time_zone,
                now,
                grace,
                ahead: 30,
              }),
              group: entry.standing.group,
            },
          }
        : entry;
    client.setQueriesData<DeskPage>(
      { queryKey: [...deskKey(scope), "queue"] },
      (page) => page && { ...page, entries: page.entries.map(renew) },
    );
    client.setQueryData<DeskBuyer>(
      deskBuyerQuery(scope, subscription_id, search).queryKey,
      (buyer) => buyer && { ...buyer, entry: renew(buyer.entry) },
    );
    return renewAll();
  }
  return { take, renew: renewAll };
}

/**
 * The rows keep their places while somebody works, whatever is done and whoever pays: only a press puts
 * them in order again.
 */
function useStillOrder(key: string, current: DeskEntry[] | undefined) {
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
    // Whoever was written to has not left: they stand on a later page.
    isGone: (entry: DeskEntry) => now.gone.has(idOf(entry)) && entry.standing.turn === "now",
    fresh: fresh ?? 0,
    isMoved: order !== undefined && order !== shown.map(idOf).join(" "),
    settle: () =>
      setHeld({ key, from: current, entries: current ?? [], gone: new Set<string>() }),
  };
}

function followed(entries: DeskEntry[], current: DeskEntry[]) {
  const byId = new Map(current.map((one) => [idOf(one), one]));
  return {
    entries: entries.map((one) => byId.get(idOf(one)) ?? one),
    gone: new Set(entries.map(idOf).filter((id) => !byId.has(id))),
  };
}

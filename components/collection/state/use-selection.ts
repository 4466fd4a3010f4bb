import { useState } from "react";
import type { RowSelection } from "#components/list/row-selection.tsx";
import type { QueueEntry } from "#lib/collection/queries.ts";
import { useBuyerName } from "./entry-status.tsx";
import { MAX_RECIPIENTS, type Recipient } from "#lib/collection/outreach.ts";

export interface QueueSelection extends RowSelection<QueueEntry> {
  count: number;
  /** Whether the selection has reached its limit. */
  isFull: boolean;
  clear: () => void;
  /** The selected buyers in the order of the queue. */
  buyers: () => Recipient[];
}

const idOf = ({ subscription }: QueueEntry) => subscription.subscription_id;

interface State {
  list: string;
  chosen: ReadonlyMap<string, Recipient>;
  /** The row where a range selection starts. */
  anchor: string | null;
  isFull: boolean;
}

const NONE = { chosen: new Map<string, Recipient>(), anchor: null, isFull: false };

/**
 * The selection, kept across the pages of one queue.
 * @param list the queue's key: another queue starts with an empty selection
 */
export function useSelection(list: string, entries: readonly QueueEntry[]): QueueSelection {
  const [state, setState] = useState<State>({ ...NONE, list });
  if (state.list !== list) setState({ ...NONE, list });
  const nameOf = useBuyerName();
  const here = entries.filter((entry) => state.chosen.has(idOf(entry))).length;

  function set(rows: readonly QueueEntry[], isOn: boolean, anchor: string | null) {
    const chosen = new Map(state.chosen);
    for (const row of rows) {
      const id = idOf(row);
      if (isOn) chosen.set(id, { id, name: nameOf(row), seen: row.contacted.last?.id ?? null });
      else chosen.delete(id);
    }
    const kept = new Map([...chosen].slice(0, MAX_RECIPIENTS));
    setState({ ...state, chosen: kept, anchor, isFull: kept.size < chosen.size });
  }

  return {
    count: state.chosen.size,
    isFull: state.isFull,
    clear: () => setState({ ...NONE, list }),
    buyers: () => {
      const places = new Map(entries.map((entry, at) => [idOf(entry), at]));
      // Selected rows of other pages come first, in order of selection.
      const placeOf = ({ id }: Recipient) => places.get(id) ?? -1;
      return [...state.chosen.values()].toSorted((one, other) => placeOf(one) - placeOf(other));
    },
    has: (row) => state.chosen.has(idOf(row)),
    toggle: (row, isRange) => {
      const isOn = !state.chosen.has(idOf(row));
      const from = entries.findIndex((entry) => idOf(entry) === state.anchor);
      if (!isRange || from === -1) return set([row], isOn, idOf(row));
      const to = entries.findIndex((entry) => idOf(entry) === idOf(row));
      const range = entries.slice(Math.min(from, to), Math.max(from, to) + 1);
      return set(range, true, idOf(row));
    },
    page: here === 0 ? "none" : here === entries.length ? "all" : "some",
    togglePage: () => set(entries, here < entries.length, null),
    nameOf,
  };
}

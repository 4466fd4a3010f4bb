import { queryOptions } from "@tanstack/react-query";
import type { PlannedReminders } from "#contract/reminders.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { readRoute } from "#lib/query/fetch-json.ts";
import type { Scope } from "#lib/scope.ts";

export type PlannedReminder = PlannedReminders["results"][number];

/** Today's reminders of the schedule. */
export type PlannedToday = ({ is_offered: true } & PlannedReminders) | { is_offered: false };

const MOVING: ReadonlySet<string> = new Set(["queued", "sending"]);
const SOON_MS = 5_000;
const LATER_MS = 60_000;

// The key begins with the subscriptions key, which every change of a subscription invalidates.
export const plannedKey = (scope: Scope) =>
  [scope, "subscriptions", "reminders", "planned"] as const;

export const plannedQuery = (scope: Scope, after: string | null = null) =>
  queryOptions({
    queryKey: [...plannedKey(scope), after] as const,
    queryFn: readRoute<PlannedToday>(
      scope,
      `/messages/planned${after === null ? "" : `?after=${encodeURIComponent(after)}`}`,
    ),
    refetchInterval: (query) => {
      const { data } = query.state;
      if (data && !data.is_offered) return false;
      const isMoving = data?.results.some(({ state }) => MOVING.has(state)) ?? false;
      return refetchEvery(isMoving ? SOON_MS : LATER_MS)(query);
    },
  });

import { useSeller } from "#components/context/seller-context.tsx";
import type { QueueEntry } from "#lib/collection/queries.ts";
import { reachableBy, usualFor } from "#lib/collection/rules.ts";
import type { QueueState } from "#components/collection/state/use-queue.ts";

/** The channels that reach this buyer, and the one this user uses. */
export function useUsualChannel(
  { setting }: Pick<QueueState, "setting">,
  { subscription }: QueueEntry,
) {
  const { time_zone } = useSeller();
  const channels = reachableBy(subscription.client, time_zone);
  return { channels, usual: usualFor(channels, setting?.usual_channel ?? null) };
}

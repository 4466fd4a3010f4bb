import { useSeller } from "#components/context/seller-context.tsx";
import type { DeskEntry } from "#lib/collection/queries.ts";
import { reachableBy, usualFor } from "#lib/collection/rules.ts";
import type { Desk } from "#components/collection/queue/use-desk.ts";

/** By what this buyer can be reached, and what of it this person uses. */
export function useUsualChannel(
  { setting }: Pick<Desk, "setting">,
  { subscription }: DeskEntry,
) {
  const { time_zone } = useSeller();
  const channels = reachableBy(subscription.client, time_zone);
  return { channels, usual: usualFor(channels, setting?.usual_channel ?? null) };
}

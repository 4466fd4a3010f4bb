import { useQuery } from "@tanstack/react-query";
import { useScope, useSeller } from "#components/context/seller-context.tsx";
import { collectionSettingsQuery } from "#lib/collection/queries.ts";

/** The collection's time, ISO: the sandbox's clock if it is ahead. */
export function useServiceNow(): string {
  const { now } = useSeller();
  const { data } = useQuery(collectionSettingsQuery(useScope()));
  return data?.clock_ahead ? new Date(Date.parse(now) + data.clock_ahead).toISOString() : now;
}

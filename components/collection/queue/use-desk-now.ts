import { useQuery } from "@tanstack/react-query";
import { useScope, useSeller } from "#components/context/seller-context.tsx";
import { deskSettingQuery } from "#lib/collection/queries.ts";

/** What time it is for the desk, ISO: by the sandbox's clock where that is ahead. */
export function useDeskNow(): string {
  const { now } = useSeller();
  const { data } = useQuery(deskSettingQuery(useScope()));
  return data?.clock_ahead ? new Date(Date.parse(now) + data.clock_ahead).toISOString() : now;
}

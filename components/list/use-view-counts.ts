import { useQuery } from "@tanstack/react-query";
import { viewCountsQuery } from "#lib/subscriptions/views/queries.ts";
import { useScope } from "#components/context/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";

/**
 * How many each view shows, as short as it is written; nothing while nobody can tell.
 * @param isAsking false for whoever shows only what others have asked for
 */
export function useViewCounts(isAsking: boolean): (id: string) => string | undefined {
  const format = useFormat();
  const { data } = useQuery({ ...viewCountsQuery(useScope()), enabled: isAsking });
  return (id) => {
    const counted = data?.state === "ready" ? data.counts[id] : undefined;
    return counted && `${format.count(counted.count)}${counted.is_capped ? "+" : ""}`;
  };
}

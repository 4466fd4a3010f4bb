"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { connectionQuery } from "#lib/connection/queries.ts";
import { sandboxQuery } from "#lib/sandbox/queries.ts";
import { useScope } from "./seller-context.tsx";
import { useFormat } from "./use-format.ts";

const ASKED_EVERY_MS = 60_000;

/** What time it is for the service, while its clock is ahead; asked once a minute at most. */
export function BandClock() {
  const t = useTranslations("layout.mode");
  const format = useFormat();
  const scope = useScope();
  const { data: standing } = useQuery({ ...connectionQuery(scope), enabled: false });
  // An extra: while the service is away the page says so, and nothing is asked again for this.
  const { data } = useQuery({
    ...sandboxQuery(scope),
    enabled: standing?.state === "good",
    staleTime: ASKED_EVERY_MS,
    retry: false,
    refetchInterval: false,
  });
  if (!data?.clock?.is_ahead) return null;
  return (
    <time dateTime={data.clock.now} className="truncate tabular-nums">
      {`· ${t("clock", { time: format.dateTime(data.clock.now) })}`}
    </time>
  );
}

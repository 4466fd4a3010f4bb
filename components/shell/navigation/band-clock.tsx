"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { sandboxQuery } from "#lib/sandbox/queries.ts";
import { useFormat, useScope } from "#components/context/seller-context.tsx";

/** The sandbox's time while its clock is known to be ahead. */
export function BandClock() {
  const t = useTranslations("layout.mode");
  const format = useFormat();
  const scope = useScope();
  // Reads the cache only: the band itself sends no request.
  const { data } = useQuery({ ...sandboxQuery(scope), enabled: false });
  if (!data?.clock?.is_ahead) return null;
  return (
    <time dateTime={data.clock.now} className="truncate tabular-nums">
      {`· ${t("clock", { time: format.dateTime(data.clock.now) })}`}
    </time>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { sandboxQuery } from "#lib/sandbox/queries.ts";
import { useScope } from "#components/context/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";

/** What time it is for the service, while its clock is known to be ahead. */
export function BandClock() {
  const t = useTranslations("layout.mode");
  const format = useFormat();
  const scope = useScope();
  // What a page has read of it stays while this is here; nothing is asked for the band alone.
  const { data } = useQuery({ ...sandboxQuery(scope), enabled: false });
  if (!data?.clock?.is_ahead) return null;
  return (
    <time dateTime={data.clock.now} className="truncate tabular-nums">
      {`· ${t("clock", { time: format.dateTime(data.clock.now) })}`}
    </time>
  );
}

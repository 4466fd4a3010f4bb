"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useQuery } from "@tanstack/react-query";
import { MODES, scopePath } from "#lib/scope.ts";
import { pathInOtherMode } from "#lib/connection/rules.ts";
import { useFormat, useScope, useScopedPath } from "#components/context/seller-context.tsx";
import { sandboxQuery } from "#lib/sandbox/queries.ts";

/** The switch between test and live mode: two links, so that a mode can be opened in a new tab. */
export function ModeSwitch() {
  const t = useTranslations("layout.mode");
  const scope = useScope();
  const path = useScopedPath();
  return (
    <nav aria-label={t("switch")} className="flex shrink-0 rounded bg-sunken p-0.5">
      {MODES.map((mode) => (
        <Link
          key={mode}
          href={scopePath(
            { ...scope, mode },
            mode === scope.mode ? path : pathInOtherMode(path),
          )}
          prefetch={false}
          aria-current={mode === scope.mode ? "true" : undefined}
          className="segment mode"
        >
          {t(mode)}
        </Link>
      ))}
    </nav>
  );
}

/** The sandbox's time, shown only while its clock is known to be ahead. */
export function BandClock() {
  const t = useTranslations("layout.mode");
  const format = useFormat();
  const scope = useScope();
  // Reads only the cache: this strip sends no request of its own.
  const { data } = useQuery({ ...sandboxQuery(scope), enabled: false });
  if (!data?.clock?.is_ahead) return null;
  return (
    <time dateTime={data.clock.now} className="truncate tabular-nums">
      {`· ${t("clock", { time: format.dateTime(data.clock.now) })}`}
    </time>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { useChanged } from "#components/context/live-state.ts";

/** Beside what changed while it was looked at, for some seconds. */
export function ChangedMark({ id }: { id: string }) {
  const t = useTranslations("live");
  if (!useChanged(id)) return null;
  return (
    <span className="changed-mark">
      <span className="sr-only">{t("changed")}</span>
    </span>
  );
}

import { useQueryClient } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { useSeller } from "#components/layout/seller-context.tsx";
import { scopePath } from "#lib/auth/scope.ts";
import { findKnownRecords } from "./known-records.ts";
import { paletteGroups, pastedEntry, recordEntry, type EntryGroup } from "./palette-entries.ts";
import { findInGroups, likeness, readSubscriptionId } from "./palette-search.ts";
import { recallRecent } from "./recent-records.ts";

const MOST_OF_A_GROUP = 8;

/** What the palette offers for what is typed. */
export function usePaletteGroups(typed: string): EntryGroup[] {
  const t = useTranslations("keyboard");
  const { scope, role, person } = useSeller();
  const queryClient = useQueryClient();
  const path = usePathname().slice(scopePath(scope).length);
  // As they were when the palette opened: they must not change places under somebody's eyes.
  const [recent] = useState(() => recallRecent(person, scope));
  const reader = { t, scope, role, language: useLocale(), path };

  const groups = paletteGroups(reader, recent);
  const found = findInGroups(groups, typed, MOST_OF_A_GROUP);
  const id = readSubscriptionId(typed);
  if (id !== null) return [{ id: "pasted", items: [pastedEntry(reader, id)] }, ...found];
  const shown = new Set(found.flatMap(({ items }) => items.map((entry) => entry.id)));
  const records = findKnownRecords(queryClient, { scope, role }, typed)
    .map((record) => recordEntry(reader, record))
    .filter((entry) => !shown.has(entry.id));
  if (records.length > 0) return [...found, { id: "records", items: records }];
  return found.length > 0 ? found : findInGroups(groups, typed, MOST_OF_A_GROUP, likeness);
}

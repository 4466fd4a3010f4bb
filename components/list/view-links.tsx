"use client";

import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";
import { PLACES } from "#components/context/places.ts";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { ViewLink, useListView, useViewCounts } from "./saved-views.tsx";

/** More would push the rest of the side out of sight. */
const MOST_SHOWN = 6;

const LINK =
  "flex h-7 items-center gap-2 rounded pr-2 pl-2.5 text-sm text-muted transition-colors hover:bg-sunken hover:text-ink aria-[current]:font-medium aria-[current]:text-ink";

/** The saved views on the side of a wide screen, each with how many it shows. */
export function ViewLinks({ isList }: { isList: boolean }) {
  const t = useTranslations("layout.views");
  const { views, current } = useListView();
  const isWide = useSyncExternalStore(onWidth, isWideScreen, () => false);
  const countOf = useViewCounts(isWide && views.length > 0);
  if (views.length === 0) return null;
  return (
    <ul
      aria-label={t("label")}
      className="mt-1 ml-4 grid grid-cols-1 border-l pl-2 max-lg:hidden"
    >
      {views.slice(0, MOST_SHOWN).map((view) => (
        <li key={view.id}>
          <ViewLink
            view={view}
            title={view.name}
            aria-current={isList && view.id === current?.id ? "true" : undefined}
            className={LINK}
          >
            <span className="min-w-0 flex-1 truncate">{view.name}</span>
            {/* Its place is there before it comes. */}
            <span className="min-w-4 text-right text-xs tabular-nums">{countOf(view.id)}</span>
          </ViewLink>
        </li>
      ))}
      {views.length > MOST_SHOWN && (
        <li>
          <ScopedLink href={PLACES.views.path} className={LINK}>
            {t("all")}
          </ScopedLink>
        </li>
      )}
    </ul>
  );
}

const WIDE = "(min-width: 64rem)";

const isWideScreen = () => window.matchMedia(WIDE).matches;

function onWidth(listener: () => void) {
  const query = window.matchMedia(WIDE);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

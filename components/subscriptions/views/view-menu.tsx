"use client";

import { Bookmark, BookmarkPlus, RefreshCw, SlidersHorizontal } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { usePermission } from "#components/context/seller-context.tsx";
import { useListView } from "#components/list/use-list-view.ts";
import { useViewCounts } from "#components/list/use-view-counts.ts";
import { ViewLink } from "#components/list/view-link.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Menu, type MenuEntry } from "#components/ui/overlays/menu.tsx";
import type { SubscriptionSearch } from "#lib/subscriptions/search.ts";
import { PLACES } from "#components/context/places.ts";
import type { View } from "#lib/subscriptions/views/rules.ts";
import { useAskedList } from "#components/subscriptions/list/use-asked-list.ts";
import { useViewChanges } from "./use-view-changes.ts";
import { ViewSave } from "./view-save.tsx";

/** The saved views above the list, where the side of the screen has no room for them. */
export function ViewMenu({ search }: { search: SubscriptionSearch }) {
  const t = useTranslations("views");
  const { views, current, opened, line, setLine, remember } = useListView();
  const { asked, settle } = useAskedList(search, [line, setLine]);
  const mayShare = usePermission("views:share");
  const { update } = useViewChanges();
  const countOf = useViewCounts(false);
  const [isSaving, setSaving] = useState(false);
  useEffect(remember);

  const isAsked = asked.query !== "" || asked.words !== "";
  const changed = isAsked && !current && opened;
  const ofView = (view: View, at: number): MenuEntry => ({
    label: view.name,
    icon: Bookmark,
    aside: countOf(view.id),
    link: <ViewLink view={view} />,
    current: view.id === current?.id ? "true" : undefined,
    isApart: view.is_shared && at > 0 && !views[at - 1]?.is_shared,
    ...(view.is_shared && { note: t("menu.shared") }),
  });
  const entries: MenuEntry[] = [
    ...views.map(ofView),
    ...(changed && (mayShare || !changed.is_shared)
      ? [
          {
            label: t("menu.update", { name: changed.name }),
            icon: RefreshCw,
            onSelect: () => {
              settle();
              void update(changed, asked);
            },
            isApart: true,
          },
        ]
      : []),
    ...(isAsked
      ? [
          {
            label: t("menu.save"),
            icon: BookmarkPlus,
            onSelect: () => setSaving(true),
            isApart: !changed && views.length > 0,
          },
        ]
      : []),
    {
      label: t("menu.all"),
      icon: SlidersHorizontal,
      link: <ScopedLink href={PLACES.views.path} />,
      isApart: views.length > 0 && !isAsked,
    },
  ];
  return (
    <>
      <Menu
        label={t("menu.label")}
        align="end"
        heading={<Heading isEmpty={views.length === 0} />}
        entries={entries}
        trigger={(trigger) => (
          <button type="button" className={buttonClass()} {...trigger}>
            <Bookmark aria-hidden className="size-4" />
            {current ? (
              <>
                <span className="sr-only">{t("menu.current")}</span>
                <span className="max-w-32 truncate max-md:max-w-16">{current.name}</span>
              </>
            ) : (
              t("menu.title")
            )}
          </button>
        )}
      />
      <ViewSave search={search} isOpen={isSaving} onClose={() => setSaving(false)} />
    </>
  );
}

/** Has them counted while the menu is open. */
function Heading({ isEmpty }: { isEmpty: boolean }) {
  const t = useTranslations("views.menu");
  useViewCounts(!isEmpty);
  return <span className="block text-sm text-muted">{t(isEmpty ? "none" : "label")}</span>;
}

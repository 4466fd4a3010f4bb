"use client";

import { useTranslations } from "next-intl";
import { Suspense, useEffect, useState } from "react";
import { useSearchParams } from "next/navigation";
import { ScopedLink, usePermission } from "#components/context/seller-context.tsx";
import { ViewLink, useListView, useViewCounts } from "#components/list/saved-views.tsx";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import {
  Bookmark,
  BookmarkPlus,
  BookmarkX,
  Info,
  RefreshCw,
  SlidersHorizontal,
} from "#components/ui/icons.tsx";
import { Menu, type MenuEntry } from "#components/ui/overlays/menu.tsx";
import {
  type SubscriptionSearch,
  isSupportedByApi,
  parseSubscriptionSearch,
} from "#lib/subscriptions/search.ts";
import { PLACES } from "#components/context/places.ts";
import { type ViewSearch, type View, viewIdFrom } from "#lib/subscriptions/views/rules.ts";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { useDebounced } from "#components/list/filters/use-words.ts";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { useViewSearch, useViewChanges } from "./use-view-changes.ts";

export function ViewMenu({ search }: { search: SubscriptionSearch }) {
  const t = useTranslations("views");
  const { views, current, opened, line, setLine, remember } = useListView();
  const { asked, mayUpdate, update, save, dialog } = useViewSaving(search, [line, setLine]);
  const countOf = useViewCounts(false);
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
    ...(changed && mayUpdate(changed)
      ? [
          {
            label: t("menu.update", { name: changed.name }),
            icon: RefreshCw,
            onSelect: () => update(changed),
            isApart: true,
          },
        ]
      : []),
    ...(isAsked
      ? [
          {
            label: t("menu.save"),
            icon: BookmarkPlus,
            onSelect: save,
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
      {dialog}
    </>
  );
}

/** Counts each view's rows while the menu is open. */
function Heading({ isEmpty }: { isEmpty: boolean }) {
  const t = useTranslations("views.menu");
  useViewCounts(!isEmpty);
  return <span className="block text-sm text-muted">{t(isEmpty ? "none" : "label")}</span>;
}

const ViewSaveForm = lazyPart(
  async () => (await import("./view-save-form.tsx")).ViewSaveForm,
  "views",
);

/** Saves the list: updates a view, or opens the dialog for a new one. */
function useViewSaving(search: SubscriptionSearch, line: Parameters<typeof useViewSearch>[1]) {
  const t = useTranslations("views");
  const { asked, settle } = useViewSearch(search, line);
  const mayShare = usePermission("views:share");
  const changes = useViewChanges();
  const [isSaving, setSaving] = useState(false);
  const close = () => setSaving(false);
  return {
    asked,
    mayUpdate: (view: View) => mayShare || !view.is_shared,
    update: (view: View) => {
      settle();
      void changes.update(view, asked);
    },
    save: () => setSaving(true),
    dialog: (
      <Dialog keepsWords title={t("saveTitle")} isOpen={isSaving} onClose={close}>
        <Suspense fallback={<span className="skeleton h-48" />}>
          <ViewSaveForm search={search} onClose={close} />
        </Suspense>
      </Dialog>
    ),
  };
}

/** Offers to save the opened view after another filter or order; says if the view is missing. */
export function ViewUpdatePrompt({ search }: { search: SubscriptionSearch }) {
  const t = useTranslations("views");
  const id = viewIdFrom(useSearchParams());
  const view = useListView();
  const { views, current, opened, asked } = view;
  const now = `${asked.query} ${asked.words}`;
  // While another view's search text is loading, the list matches neither view.
  const isAtRest = useDebounced(now) === now;
  if (id !== null && !views.some((one) => one.id === id))
    return (
      <Notice icon={BookmarkX} role="status" className="mb-4">
        {t("missing")}
      </Notice>
    );
  if (!isAtRest || current || !opened) return null;
  return <Changed {...{ search, opened }} line={[view.line, view.setLine]} />;
}

interface ChangedProps {
  search: SubscriptionSearch;
  opened: View;
  line: Parameters<typeof useViewSearch>[1];
}

function Changed({ search, opened, line }: ChangedProps) {
  const t = useTranslations("views");
  const { asked, mayUpdate, update, save, dialog } = useViewSaving(search, line);
  if (!isChange(opened, asked)) return null;
  return (
    <div
      role="group"
      aria-label={t("changed", { name: opened.name })}
      className="mb-4 flex flex-wrap items-center gap-2 text-sm text-muted"
    >
      <p className="mr-auto flex min-w-0 items-start gap-2">
        <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 break-words">{t("changed", { name: opened.name })}</span>
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {mayUpdate(opened) && <Button onClick={() => update(opened)}>{t("updateNow")}</Button>}
        <Button onClick={save}>{t("saveNew")}</Button>
        <ViewLink view={opened} className={buttonClass("quiet")}>
          {t("openAgain")}
        </ViewLink>
      </div>
      {dialog}
    </div>
  );
}

const isPlainStatus = ({ query, words }: ViewSearch) =>
  words === "" && isSupportedByApi(parseSubscriptionSearch(new URLSearchParams(query)));

/**
 * Whether the list differs from the opened view; a search within the view or another status does
 * not count.
 */
function isChange(opened: View, asked: ViewSearch): boolean {
  if (isPlainStatus(asked) && (asked.query === "" || isPlainStatus(opened))) return false;
  return asked.query !== opened.query || opened.words !== "";
}

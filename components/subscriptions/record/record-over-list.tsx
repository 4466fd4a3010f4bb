"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import {
  Activity,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { PLACES } from "#components/context/places.ts";
import { useRecordId, useScope, useScopedPath } from "#components/context/seller-context.tsx";
import { BackLink, readListPosition, RecordOverListContext } from "#components/list/links.tsx";
import { findListedSubscription } from "#lib/subscriptions/queries.ts";

const OpenedSubscription = lazyPart(
  async () => (await import("./subscription-record.tsx")).OpenedSubscription,
  "subscriptions/record",
);

const preload = () => void OpenedSubscription.preload().catch(() => null);

/**
 * The list, or a record that was opened from it, while the list stays as it is but hidden. A row's link
 * changes only the URL, so that nothing of the record's page is fetched. A record that is opened
 * elsewhere, or reloaded, is shown by its own page.
 */
export function RecordOverList({ children }: { children: ReactNode }) {
  const isOpen = useScopedPath() !== PLACES.subscriptions.path;
  const current = useSearchParams();
  const [parameters, setParameters] = useState(current);
  if (!isOpen && parameters !== current) setParameters(current);
  const over = useMemo(() => ({ parameters, preload }), [parameters]);
  const id = useRecordId();
  useScrollOf(isOpen ? id : null);
  useTitleOfRecord(isOpen);
  useReloadAfterLoss(isOpen ? id : null);
  return (
    <RecordOverListContext value={over}>
      <Activity mode={isOpen ? "hidden" : "visible"}>{children}</Activity>
      {isOpen && (
        <Suspense key={id} fallback={<Opening id={id} />}>
          <OpenedSubscription />
        </Suspense>
      )}
    </RecordOverListContext>
  );
}

/** Shows a record from its top, and afterwards the list where it was scrolled to. */
function useScrollOf(opened: string | null) {
  const before = useRef(opened);
  useLayoutEffect(() => {
    if (before.current === opened) return;
    before.current = opened;
    const { pathname, search } = window.location;
    const position = opened === null ? readListPosition(pathname) : undefined;
    window.scrollTo(0, position?.search === search ? position.top : 0);
  }, [opened]);
}

/** Sets the title that the record's own page has, because Next.js has set the list's title. */
function useTitleOfRecord(isOpen: boolean) {
  const t = useTranslations();
  const rename = useEffectEvent(() => {
    const title = document.title.replace(t("subscriptions.title"), t("subscription.title"));
    const before = document.title;
    document.title = title;
    const { pathname } = window.location;
    return () => {
      // The next page may have set its own title already; this record's own page has the same title.
      if (document.title === title && window.location.pathname !== pathname)
        document.title = before;
    };
  });
  useLayoutEffect(() => (isOpen ? rename() : undefined), [isOpen]);
}

/**
 * Loads the page that the back button leads to, if the router has replaced the list by the record's own page:
 * after `router.refresh()` the router would show that page in place of the list.
 */
function useReloadAfterLoss(opened: string | null) {
  useEffect(() => {
    if (opened === null) return;
    const { pathname } = window.location;
    return () => {
      if (window.location.pathname !== pathname) return;
      window.addEventListener("popstate", reload, { capture: true });
    };
  }, [opened]);
}

function reload(event: Event) {
  event.stopImmediatePropagation();
  window.location.reload();
}

/** Shows what the list knows of a record until the record's code has been fetched. */
function Opening({ id }: { id: string }) {
  const t = useTranslations();
  const subscription = findListedSubscription(useQueryClient(), useScope(), id);
  const { full_name, phone } = subscription?.client ?? {};
  return (
    <>
      <BackLink href={PLACES.subscriptions.path}>{t("subscription.back")}</BackLink>
      <div aria-busy>
        <h1 className="mb-5 min-h-8 text-xl font-semibold tracking-tight">
          {full_name || phone || t("subscription.title")}
        </h1>
        <span className="skeleton h-72 rounded-md" />
      </div>
    </>
  );
}

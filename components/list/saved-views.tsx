"use client";

import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReadonlyURLSearchParams, usePathname, useSearchParams } from "next/navigation";
import { type ComponentProps, type MouseEvent, useSyncExternalStore } from "react";
import { useTranslations } from "next-intl";
import { type Scope, scopePath } from "#lib/scope.ts";
import {
  type ViewSearch,
  viewSearchFrom,
  type View,
  viewIdFrom,
  findViewFor,
  viewPath,
} from "#lib/subscriptions/views/rules.ts";
import { useConnectionState } from "#components/context/live-state.ts";
import { PLACES } from "#components/context/places.ts";
import {
  PageLink,
  ScopedLink,
  useFormat,
  useScope,
} from "#components/context/seller-context.tsx";
import { viewCountsQuery, viewsQuery } from "#lib/subscriptions/views/queries.ts";
import { setSearchText, useSearchText } from "#components/list/filters/use-words.ts";
import { isPlainClick } from "#components/ui/overlays/popup.ts";
import { pushUrl, useListParameters } from "./links.tsx";

interface ViewLinkProps extends Omit<ComponentProps<typeof PageLink>, "href"> {
  view: View;
}

/** A link to a view. It passes the view's search text on in memory, because URLs are logged. */
export function ViewLink({ view, onClick, ...props }: ViewLinkProps) {
  const client = useQueryClient();
  const scope = useScope();
  const href = viewPath(scope, view);
  const isInList = usePathname() === scopePath(scope, PLACES.subscriptions.path);

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (!isPlainClick(event)) return;
    setSubscriptionSearchText(client, scope, view.words);
    if (!isInList) return;
    event.preventDefault();
    pushUrl(href);
  }

  return <PageLink href={href} prefetch={!isInList} onClick={follow} {...props} />;
}

/**
 * The formatted number of rows of each view, if known.
 * @param enabled false reads the cache only
 */
export function useViewCounts(enabled: boolean): (id: string) => string | undefined {
  const format = useFormat();
  const { data } = useQuery({ ...viewCountsQuery(useScope()), enabled });
  return (id) => {
    const counted = data?.state === "ready" ? data.counts[id] : undefined;
    return counted && `${format.count(counted.count)}${counted.is_capped ? "+" : ""}`;
  };
}

const NONE: readonly View[] = [];

/** This person's own views, then the shared ones; every page prefetches them. */
export const useViews = (): readonly View[] => useQuery(viewsQuery(useScope())).data ?? NONE;

const LIST = "subscriptions";

/** Sets the search text of the subscription list, for opening a view. */
export const setSubscriptionSearchText = (client: QueryClient, scope: Scope, words: string) =>
  setSearchText(client, scope, LIST, words);

/** The search text of the subscription list; initially that of the view in the URL. */
export const useSubscriptionSearchText = () => useLine(useViews(), useListParameters());

function useLine(views: readonly View[], parameters: ReadonlyURLSearchParams) {
  const id = viewIdFrom(parameters);
  return useSearchText(LIST, views.find((view) => view.id === id)?.words);
}

interface ListView {
  asked: ViewSearch;
  /** The search text. */
  line: string;
  setLine: (line: string) => void;
  views: readonly View[];
  /** The view with exactly this filter and text. */
  current: View | undefined;
  /** The view opened last, until all filters are cleared. */
  opened: View | undefined;
  /** Stores the opened view; called by the list itself. */
  remember: () => void;
}

/** The filter of the list at this URL, and the saved view that matches it. */
export function useListView(): ListView {
  const views = useViews();
  const parameters = useSearchParams();
  const [line, setLine] = useLine(views, parameters);
  const [opened, setOpened] = useSearchText("opened view");
  const asked = viewSearchFrom(parameters, line);
  const current = findViewFor(views, asked, opened);
  const next = current?.id ?? (isEverything(asked) ? "" : opened);
  return {
    asked,
    line,
    setLine,
    views,
    current,
    opened: views.find(({ id }) => id === opened),
    remember: () => void (next !== opened && setOpened(next)),
  };
}

const isEverything = ({ query, words }: ViewSearch) => query === "" && words.trim() === "";

/** The most views in the sidebar; more would push the rest of it out of view. */
const MOST_SHOWN = 6;

/** The saved views in the sidebar of a wide screen, with their counts. */
export function ViewLinks({ isList }: { isList: boolean }) {
  const t = useTranslations("layout.views");
  const { views, current } = useListView();
  const isWide = useSyncExternalStore(onWidth, isWideScreen, () => false);
  // Like the bell, the views are counted once the page has loaded.
  const isAwake = useConnectionState() !== "off";
  const countOf = useViewCounts(isWide && isAwake && views.length > 0);
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
            className="nav-view"
          >
            <span className="min-w-0 flex-1 truncate">{view.name}</span>
            {/* Rendered without a count too, to reserve its space. */}
            <span className="min-w-4 text-right text-xs tabular-nums">{countOf(view.id)}</span>
          </ViewLink>
        </li>
      ))}
      {views.length > MOST_SHOWN && (
        <li>
          <ScopedLink href={PLACES.views.path} className="nav-view">
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

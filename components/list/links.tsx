"use client";

import { type ComponentProps, createContext, type MouseEvent, use } from "react";
import { type ReadonlyURLSearchParams, useRouter } from "next/navigation";
import { ChevronLeft } from "#components/ui/icons.tsx";
import { scopePath } from "#lib/scope.ts";
import {
  PageLink,
  ScopedLink,
  useFormat,
  useIntent,
  useScope,
} from "#components/context/seller-context.tsx";
import { StableWidthText, TabBar } from "#components/ui/tabs.tsx";
import { isPlainClick } from "#components/ui/overlays/popup.ts";

interface UrlLinkProps extends ComponentProps<"a"> {
  href: string;
  /** Prefetches what the URL shows, when the user is about to press the link. */
  onIntent?: (() => void) | undefined;
  /** The state of the history entry. */
  state?: object;
}

/**
 * A link to another state of the same list. It changes the URL without a request for the page, because the
 * list reads its rows itself. Before hydration, and in a new tab, it is an ordinary link.
 */
export function UrlLink({ href, onClick, onIntent, state, ...props }: UrlLinkProps) {
  const intent = useIntent(() => onIntent?.());
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (!isPlainClick(event)) return;
    event.preventDefault();
    pushUrl(href, state);
  }
  return <a href={href} onClick={follow} {...intent} {...props} />;
}

/** A link to another page of the same list. */
export const LinkToTop = (props: UrlLinkProps) => (
  <UrlLink {...props} onClick={() => window.scrollTo({ top: 0 })} />
);

/** Changes the URL without a page load; useSearchParams and the back button follow. */
export function pushUrl(href: string, state: object | null = null) {
  if (href !== window.location.pathname + window.location.search) {
    window.history.pushState(state, "", href);
  }
}

interface RecordOverList {
  /** The list's parameters; while a record is shown over it, those from before. */
  parameters: ReadonlyURLSearchParams;
  /** Loads the code that shows a record. */
  preload: () => void;
}

/** Set in a list that shows its records over itself, without loading their page; else null. */
export const RecordOverListContext = createContext<RecordOverList | null>(null);

/** The parameters of a list over which its records are shown; they stay while one is. */
export function useListParameters(): ReadonlyURLSearchParams {
  const over = use(RecordOverListContext);
  if (!over) throw new Error("useListParameters needs a RecordOverListContext above it");
  return over.parameters;
}

type RowLinkProps = Pick<
  ComponentProps<typeof PageLink>,
  "href" | "title" | "children" | "onIntent"
>;

/** A link that fills its row; the keys for rows move between these links. */
export function RowLink({ onIntent, ...props }: RowLinkProps) {
  const over = use(RecordOverListContext);
  if (!over) return <PageLink data-row-link="" onIntent={onIntent} {...props} />;
  const prepare = () => {
    over.preload();
    onIntent?.();
  };
  // Tells instrumentation-client.ts which document shows the list.
  const state = { overListOf: performance.timeOrigin };
  return <UrlLink data-row-link="" onIntent={prepare} state={state} {...props} />;
}

/** A link from a record to its list, with the filter and page of the last visit. */
export function BackLink({ href, children }: { href: string; children: string }) {
  const path = scopePath(useScope(), href);
  const router = useRouter();
  const isOverList = use(RecordOverListContext) !== null;
  return (
    <ScopedLink
      href={href}
      prefetch={!isOverList}
      onNavigate={(event) => {
        const search = readListPosition(path)?.search ?? "";
        if (!isOverList && search === "") return;
        event.preventDefault();
        if (isOverList) pushUrl(path + search);
        else router.push(path + search);
      }}
      aria-keyshortcuts="Escape"
      className="mb-3 -ml-1 inline-flex h-6 items-center gap-0.5 rounded pr-1 text-sm text-muted hover:text-ink max-md:-mt-4 max-md:h-11"
    >
      <ChevronLeft aria-hidden className="size-4" />
      {children}
    </ScopedLink>
  );
}

interface ListPosition {
  /** The URL's query string: filter and page. */
  search: string;
  /** The row that was opened. */
  row: string;
  /** How far the page was scrolled down, in CSS pixels. */
  top: number;
}

/** The positions by path. They are kept in memory only: after a reload a list begins at its top. */
const positions = new Map<string, ListPosition>();

/** Remembers which row of a list was opened, so that the user can return to it. */
export const saveListPosition = (path: string, position: ListPosition) =>
  void positions.set(path, position);

export const readListPosition = (path: string) => positions.get(path);

interface FilterTab {
  href: string;
  label: string;
  count?: number | null | undefined;
  isCurrent: boolean;
  /** Prefetches the tab's list. */
  onIntent?: () => void;
}

interface FilterTabsProps {
  label: string;
  tabs: FilterTab[];
  /** The link component of a page whose rows the server reads. */
  link?: typeof PageLink;
}

export function FilterTabs({ label, tabs, link: LinkTo = UrlLink }: FilterTabsProps) {
  const format = useFormat();
  const current = tabs.find(({ isCurrent }) => isCurrent)?.href;
  return (
    <TabBar label={label} current={current} className="mb-4">
      <ul className="flex min-w-max gap-1 border-b">
        {tabs.map(({ href, label: text, count, isCurrent, onIntent }) => (
          <li key={href}>
            <LinkTo
              href={href}
              aria-current={isCurrent ? "page" : undefined}
              onIntent={onIntent}
              className="tab"
            >
              <StableWidthText>{text}</StableWidthText>
              {typeof count === "number" && (
                <span className="tab-count">{format.count(count)}</span>
              )}
            </LinkTo>
          </li>
        ))}
      </ul>
    </TabBar>
  );
}

"use client";

import { useFormat } from "#components/context/seller-context.tsx";
import { StableWidthText, TabBar } from "#components/ui/tabs.tsx";
import { UrlLink } from "#components/list/links.tsx";

interface FilterTab {
  href: string;
  label: string;
  count?: number | null | undefined;
  isCurrent: boolean;
  /** Prefetches the tab's list. */
  onIntent?: () => void;
}

export function FilterTabs({ label, tabs }: { label: string; tabs: FilterTab[] }) {
  const format = useFormat();
  const current = tabs.find(({ isCurrent }) => isCurrent)?.href;
  return (
    <TabBar label={label} current={current} className="mb-4">
      <ul className="flex min-w-max gap-1 border-b">
        {tabs.map(({ href, label: text, count, isCurrent, onIntent }) => (
          <li key={href}>
            <UrlLink
              href={href}
              aria-current={isCurrent ? "page" : undefined}
              onIntent={onIntent}
              className="tab"
            >
              <StableWidthText>{text}</StableWidthText>
              {typeof count === "number" && (
                <span className="tab-count">{format.count(count)}</span>
              )}
            </UrlLink>
          </li>
        ))}
      </ul>
    </TabBar>
  );
}

"use client";

import { useFormat } from "#components/values/use-format.ts";
import { SteadyWords } from "#components/ui/steady-words.tsx";
import { useCurrentInView } from "#components/ui/use-current-in-view.ts";
import { UrlLink } from "#components/list/url-link.tsx";

interface FilterTab {
  href: string;
  label: string;
  count?: number | null | undefined;
  isCurrent: boolean;
  /** The pointer rests on it, so it is probably next. */
  onIntent?: () => void;
}

export function FilterTabs({ label, tabs }: { label: string; tabs: FilterTab[] }) {
  const format = useFormat();
  const nav = useCurrentInView(tabs.find(({ isCurrent }) => isCurrent)?.href);
  return (
    <nav
      ref={nav}
      aria-label={label}
      className="fading-ends -mx-4 mb-4 [scrollbar-width:none] overflow-x-auto px-4 md:-mx-6 md:px-6 lg:-mx-8 lg:px-8"
    >
      <ul className="flex min-w-max gap-1 border-b">
        {tabs.map(({ href, label: text, count, isCurrent, onIntent }) => (
          <li key={href}>
            <UrlLink
              href={href}
              aria-current={isCurrent ? "page" : undefined}
              onPointerEnter={onIntent}
              onFocus={onIntent}
              className="-mb-px flex h-9 items-center gap-1.5 rounded-t border-b-2 border-transparent px-2.5 whitespace-nowrap text-muted -outline-offset-2 transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink max-md:h-11"
            >
              <SteadyWords>{text}</SteadyWords>
              {typeof count === "number" && (
                <span className="rounded-full bg-sunken px-1.5 text-xs text-muted tabular-nums">
                  {format.count(count)}
                </span>
              )}
            </UrlLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

import type { ReactNode } from "react";
import { ScopedLink } from "#components/context/seller-context.tsx";
import { StableWidthText } from "#components/ui/tabs.tsx";

interface PageHeaderProps {
  title: ReactNode;
  /** Content next to the title, such as a badge. */
  aside?: ReactNode;
  action?: ReactNode;
}

export function PageHeader({ title, aside, action }: PageHeaderProps) {
  return (
    <div className="mb-5 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="min-w-0 text-xl font-semibold tracking-tight">{title}</h1>
        {aside}
      </div>
      {action}
    </div>
  );
}

interface PageSwitchProps {
  label: string;
  /** The pages with their paths below the seller and mode. */
  pages: { href: string; label: string; isCurrent: boolean }[];
}

/** Links between a few sibling pages, shown as one segmented control. */
export function PageSwitch({ label, pages }: PageSwitchProps) {
  return (
    <nav aria-label={label}>
      <ul className="inline-flex max-w-full flex-wrap rounded-md bg-sunken p-0.5 max-md:flex">
        {pages.map(({ href, label: name, isCurrent }) => (
          <li key={href} className="max-md:grow">
            <ScopedLink
              href={href}
              aria-current={isCurrent ? "page" : undefined}
              className="segment rounded px-3 aria-[current=page]:font-medium max-md:h-11 max-md:justify-center max-md:px-2"
            >
              <StableWidthText>{name}</StableWidthText>
            </ScopedLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

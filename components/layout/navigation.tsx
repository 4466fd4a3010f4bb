"use client";

import { CirclePlus, ListChecks, type LucideIcon } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { cn } from "#lib/cn.ts";
import { usePermission } from "./seller-context.tsx";

interface Entry {
  href: string;
  label: string;
  icon: LucideIcon;
  isCurrent: (path: string) => boolean;
}

const LIST: Entry = {
  href: "/subscriptions",
  label: "Subscriptions",
  icon: ListChecks,
  isCurrent: (path) => path.startsWith("/subscriptions") && path !== CREATE.href,
};

const CREATE: Entry = {
  href: "/subscriptions/new",
  label: "New subscription",
  icon: CirclePlus,
  isCurrent: (path) => path === CREATE.href,
};

/** The side of a wide screen, the foot of a phone's: the same links, in the reach of the thumb. */
export function Navigation() {
  const path = usePathname();
  const entries = usePermission("subscriptions:create") ? [LIST, CREATE] : [LIST];
  return (
    <ul className="flex gap-1 max-md:justify-around md:flex-col">
      {entries.map(({ href, label, icon: Icon, isCurrent }) => (
        <li key={href} className="max-md:flex-1">
          <Link
            href={href}
            title={label}
            aria-current={isCurrent(path) ? "page" : undefined}
            className={cn(
              "flex items-center rounded font-medium text-muted transition-colors hover:text-ink",
              "max-md:h-14 max-md:flex-col max-md:justify-center max-md:gap-0.5 max-md:text-xs",
              "max-lg:justify-center md:h-9 md:gap-2 md:px-2 md:hover:bg-sunken lg:h-8",
              "aria-[current=page]:text-ink md:aria-[current=page]:bg-sunken",
            )}
          >
            <Icon aria-hidden className="size-5 lg:size-4" />
            <span className="md:max-lg:sr-only">{label}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

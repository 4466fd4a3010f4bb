"use client";

import {
  BadgeCheck,
  ChartNoAxesCombined,
  CirclePlus,
  FlaskConical,
  HandCoins,
  House,
  ListChecks,
  Package,
  Settings,
  Users,
  type LucideIcon,
} from "lucide-react";
import { useTranslations } from "next-intl";
import { usePathname } from "next/navigation";
import { scopePath } from "#lib/scope.ts";
import { cn } from "#lib/cn.ts";
import { MoreMenu } from "./more-menu.tsx";
import { isOpenTo, PLACES } from "#components/context/places.ts";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { useSeller } from "#components/context/seller-context.tsx";
import { ViewLinks } from "#components/list/view-links.tsx";

export interface Entry {
  name:
    | "overview"
    | "collection"
    | "subscriptions"
    | "create"
    | "customers"
    | "products"
    | "payments"
    | "reports"
    | "sandbox"
    | "settings";
  icon: LucideIcon;
  /** @param path within the seller and mode */
  isCurrent: (path: string) => boolean;
}

const isIn = (folder: string) => (path: string) => path.startsWith(folder);
const isCreate = (path: string) => path === PLACES.create.path;

const ENTRIES: Entry[] = [
  { name: "overview", icon: House, isCurrent: (path) => path === "" },
  { name: "collection", icon: HandCoins, isCurrent: isIn("/collection") },
  {
    name: "subscriptions",
    icon: ListChecks,
    isCurrent: (path) => path.startsWith("/subscriptions") && !isCreate(path),
  },
  { name: "create", icon: CirclePlus, isCurrent: isCreate },
  { name: "customers", icon: Users, isCurrent: isIn("/customers") },
  { name: "products", icon: Package, isCurrent: isIn("/products") },
  { name: "payments", icon: BadgeCheck, isCurrent: isIn("/payments") },
  { name: "reports", icon: ChartNoAxesCombined, isCurrent: isIn("/reports") },
  { name: "sandbox", icon: FlaskConical, isCurrent: isIn("/sandbox") },
  { name: "settings", icon: Settings, isCurrent: isIn("/settings") },
];

/** Links in a phone's bottom bar; the menu has the others. */
const IN_BAR = 4;

/** A sidebar on wide screens and a bottom bar on phones. */
export function Navigation() {
  const { scope, role } = useSeller();
  const path = usePathname().slice(scopePath(scope).length);
  const entries = ENTRIES.filter(({ name }) => isOpenTo(name, role, scope.mode));
  return (
    // Widths that fit every label at 320 px.
    <ul className="max-md:grid max-md:grid-cols-[19%_20%_27%_20%_14%] max-md:whitespace-nowrap md:flex md:flex-col md:gap-1">
      {entries.map((entry, at) => (
        <li key={entry.name} className={at < IN_BAR ? undefined : "max-md:hidden"}>
          <NavigationLink entry={entry} isCurrent={entry.isCurrent(path)} />
          {entry.name === "subscriptions" && (
            <ViewLinks isList={path === PLACES.subscriptions.path} />
          )}
        </li>
      ))}
      <li className="md:hidden">
        <MoreMenu entries={entries.slice(IN_BAR)} path={path} />
      </li>
    </ul>
  );
}

function NavigationLink({ entry, isCurrent }: { entry: Entry; isCurrent: boolean }) {
  const t = useTranslations("layout.navigation");
  const { name, icon: Icon } = entry;
  return (
    <ScopedLink
      href={PLACES[name].path}
      title={t.markup(name, { more: (words) => words })}
      aria-current={isCurrent ? "page" : undefined}
      className={cn(
        "flex items-center rounded font-medium text-muted transition-colors hover:text-ink",
        "max-md:h-14 max-md:flex-col max-md:justify-center max-md:gap-0.5 max-md:text-xs",
        "max-lg:justify-center md:h-9 md:gap-2 md:px-2 md:hover:bg-sunken lg:h-8",
        "aria-[current=page]:text-ink md:aria-[current=page]:bg-sunken",
      )}
    >
      <Icon aria-hidden className="size-5 lg:size-4" />
      <span className="md:max-lg:sr-only">
        {/* The rest of the name, on wide screens only. */}
        {t.rich(name, { more: (words) => <span className="max-md:sr-only">{words}</span> })}
      </span>
    </ScopedLink>
  );
}

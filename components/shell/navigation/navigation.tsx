"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import {
  ArrowLeftRight,
  BadgeCheck,
  ChartNoAxesCombined,
  CirclePlus,
  Ellipsis,
  FlaskConical,
  HandCoins,
  House,
  type IconType,
  ListChecks,
  Package,
  SettingsIcon,
  Users,
} from "#components/ui/icons.tsx";
import { scopePath } from "#lib/scope.ts";
import { canOpenPlace, PLACES, type PlaceId } from "#components/context/places.ts";
import {
  ScopedLink,
  useScope,
  useScopedPath,
  useSeller,
} from "#components/context/seller-context.tsx";
import { ViewLinks } from "#components/list/saved-views.tsx";
import { Menu } from "#components/ui/overlays/menu.tsx";
import { pathInOtherMode } from "#lib/connection/rules.ts";

/** Whether a path below the seller and mode is in the folder. */
const isIn = (folder: string) => (path: string) => path.startsWith(folder);
const isCreate = (path: string) => path === PLACES.create.path;

const ENTRIES = [
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
  { name: "settings", icon: SettingsIcon, isCurrent: isIn("/settings") },
] as const satisfies {
  name: PlaceId;
  icon: IconType;
  isCurrent: (path: string) => boolean;
}[];

type Entry = (typeof ENTRIES)[number];

/** The number of links in a phone's bottom bar; its menu has the others. */
const IN_BAR = 4;

/** A sidebar on wide screens and a bottom bar on phones. */
export function Navigation() {
  const { scope, role } = useSeller();
  const path = useScopedPath();
  const entries = ENTRIES.filter(({ name }) => canOpenPlace(name, role, scope.mode));
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
      className="nav-item"
    >
      <Icon aria-hidden className="size-5 lg:size-4" />
      <span>
        {/* The rest of the name, on wide screens only. */}
        {t.rich(name, { more: (words) => <span className="max-md:sr-only">{words}</span> })}
      </span>
    </ScopedLink>
  );
}

interface MoreMenuProps {
  entries: Entry[];
  /** The path below the seller and mode. */
  path: string;
}

/** The menu of a phone's bottom bar. */
function MoreMenu({ entries, path }: MoreMenuProps) {
  const t = useTranslations("layout");
  const tKeyboard = useTranslations("keyboard");
  const scope = useScope();
  const other = scope.mode === "test" ? "live" : "test";
  const isHere = entries.some(({ isCurrent }) => isCurrent(path));
  return (
    <Menu
      label={t("menus.more")}
      side="top"
      align="end"
      entries={[
        ...entries.map(({ name, icon, isCurrent }) => ({
          label: t.markup(`navigation.${name}`, { more: (words) => words }),
          icon,
          link: <ScopedLink href={PLACES[name].path} />,
          current: isCurrent(path) ? ("page" as const) : undefined,
        })),
        {
          label: tKeyboard(`modes.${other}`),
          icon: ArrowLeftRight,
          link: (
            <Link
              href={scopePath({ ...scope, mode: other }, pathInOtherMode(path))}
              prefetch={false}
            />
          ),
          isApart: true,
        },
      ]}
      trigger={(props) => (
        <button
          type="button"
          aria-current={isHere ? "true" : undefined}
          className="nav-item w-full aria-[current]:text-ink"
          {...props}
        >
          <Ellipsis aria-hidden className="size-5" />
          {t("menus.more")}
        </button>
      )}
    />
  );
}

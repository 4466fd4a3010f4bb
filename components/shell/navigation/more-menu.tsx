"use client";

import { ArrowLeftRight, Ellipsis } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { Menu } from "#components/ui/overlays/menu.tsx";
import { scopePath } from "#lib/scope.ts";
import { pathInOtherMode } from "#lib/connection/rules.ts";
import type { Entry } from "./navigation.tsx";
import { PLACES } from "#components/context/places.ts";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { useScope } from "#components/context/seller-context.tsx";

interface MoreMenuProps {
  entries: Entry[];
  /** Within the seller and mode. */
  path: string;
}

/** The menu of a phone's bottom bar. */
export function MoreMenu({ entries, path }: MoreMenuProps) {
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
          className="flex h-14 w-full flex-col items-center justify-center gap-0.5 rounded text-xs font-medium text-muted aria-[current]:text-ink"
          {...props}
        >
          <Ellipsis aria-hidden className="size-5" />
          {t("menus.more")}
        </button>
      )}
    />
  );
}

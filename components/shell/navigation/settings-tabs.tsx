"use client";

import { useTranslations } from "next-intl";
import { Fragment } from "react";
import { StableWidthText, TabBar } from "#components/ui/tabs.tsx";
import { canOpenPlace, PLACES, type PlaceId } from "#components/context/places.ts";
import { ScopedLink, useScopedPath, useSeller } from "#components/context/seller-context.tsx";

/** The groups of settings pages; the group without a name has no heading. */
const GROUPS = [
  {
    name: null,
    tabs: ["settings", "notices", "seller", "payAccounts", "messages", "team", "auditLog"],
  },
  { name: "developers", tabs: ["connection", "apiKeys", "webhooks"] },
] as const satisfies { name: string | null; tabs: PlaceId[] }[];

export function SettingsTabs() {
  const t = useTranslations("layout");
  const { role, scope, lacks_second_factor } = useSeller();
  const path = useScopedPath();
  const groups = GROUPS.map(({ name, tabs }) => ({
    name,
    open: tabs.filter(
      (id) => canOpenPlace(id, role, scope.mode) && (!lacks_second_factor || id === "settings"),
    ),
  }));
  return (
    <TabBar label={t("navigation.settings")} current={path} className="mb-6">
      <div className="flex min-w-max items-center gap-1 border-b">
        {groups.map(
          ({ name, open }) =>
            open.length > 0 && (
              <Fragment key={name}>
                {name && (
                  <span id={`settings-${name}`} className="ml-3 text-xs text-muted">
                    {t(`tabs.${name}`)}
                  </span>
                )}
                <ul
                  aria-labelledby={name ? `settings-${name}` : undefined}
                  className="flex gap-1"
                >
                  {open.map((id) => (
                    <li key={id}>
                      <ScopedLink
                        href={PLACES[id].path}
                        aria-current={
                          `${path}/`.startsWith(`${PLACES[id].path}/`) ? "page" : undefined
                        }
                        className="tab"
                      >
                        <StableWidthText>{t(`tabs.${id}`)}</StableWidthText>
                      </ScopedLink>
                    </li>
                  ))}
                </ul>
              </Fragment>
            ),
        )}
      </div>
    </TabBar>
  );
}

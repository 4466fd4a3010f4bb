"use client";

import { useTranslations } from "next-intl";
import { usePathname } from "next/navigation";
import { Fragment } from "react";
import { SteadyWords } from "#components/ui/steady-words.tsx";
import { useCurrentInView } from "#components/ui/use-current-in-view.ts";
import { scopePath } from "#lib/scope.ts";
import { isOpenTo, PLACES, type PlaceId } from "#components/context/places.ts";
import { ScopedLink, useSeller } from "#components/context/seller-context.tsx";

/** The group without a name has no heading. */
const GROUPS = [
  { name: null, tabs: ["settings", "seller", "messages", "team", "auditLog"] },
  { name: "developers", tabs: ["connection", "webhooks"] },
] as const satisfies { name: string | null; tabs: PlaceId[] }[];

export function SettingsTabs() {
  const t = useTranslations("layout");
  const { role, scope, lacks_second_factor } = useSeller();
  const path = usePathname().slice(scopePath(scope).length);
  const nav = useCurrentInView(path);
  const groups = GROUPS.map(({ name, tabs }) => ({
    name,
    open: tabs.filter(
      (id) => isOpenTo(id, role, scope.mode) && (!lacks_second_factor || id === "settings"),
    ),
  }));
  return (
    <nav
      ref={nav}
      aria-label={t("navigation.settings")}
      className="fading-ends -mx-4 mb-6 [scrollbar-width:none] overflow-x-auto px-4 md:-mx-6 md:px-6 lg:-mx-8 lg:px-8"
    >
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
                        className="-mb-px flex h-9 items-center rounded-t border-b-2 border-transparent px-2.5 whitespace-nowrap text-muted -outline-offset-2 transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink max-md:h-11"
                      >
                        <SteadyWords>{t(`tabs.${id}`)}</SteadyWords>
                      </ScopedLink>
                    </li>
                  ))}
                </ul>
              </Fragment>
            ),
        )}
      </div>
    </nav>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button.tsx";
import { ChevronsUpDown, Plus } from "#components/ui/icons.tsx";
import { Menu, type MenuEntry } from "#components/ui/overlays/menu.tsx";
import type { Role } from "#lib/auth/permissions.ts";
import { scopePath } from "#lib/scope.ts";
import { useSeller } from "#components/context/seller-context.tsx";

export interface SellerChoice {
  code: string;
  name: string;
  role: Role;
}

/** The person's sellers. Each link is a full load, so that no data of another seller stays in memory. */
export function SellerSwitcher({ sellers }: { sellers: SellerChoice[] }) {
  const t = useTranslations("layout");
  const { name, scope } = useSeller();
  const entries = sellers.map((seller): MenuEntry => ({
    label: seller.name,
    note: t(`roles.${seller.role}`),
    link: <a href={scopePath({ ...scope, seller: seller.code })} />,
    current: seller.code === scope.seller ? "true" : undefined,
  }));
  // oxlint-disable-next-line next/no-html-link-for-pages
  const toNew = <a href="/welcome" />;
  return (
    <div className="-ml-2 min-w-0">
      <Menu
        label={t("menus.yourSellers")}
        entries={[
          ...entries,
          { label: t("menus.newSeller"), icon: Plus, link: toNew, isApart: true },
        ]}
        trigger={(props) => (
          <Button look="quiet" className="max-w-full gap-1! px-2!" {...props}>
            <span className="sr-only">{t("menus.seller")}</span>
            <span className="truncate text-ink">{name}</span>
            <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
          </Button>
        )}
      />
    </div>
  );
}

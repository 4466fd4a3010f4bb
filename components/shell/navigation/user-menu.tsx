"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { BookOpen, ChevronDown, Compass, LogOut } from "#components/ui/icons.tsx";
import { Menu } from "#components/ui/overlays/menu.tsx";
import type { Role } from "#lib/auth/permissions.ts";
import { initialOf } from "#lib/format/format.ts";
import { ScopedLink } from "#components/context/seller-context.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { signOutAction } from "#lib/auth/actions.ts";
import { forgetDrafts } from "#components/forms/draft-memory.ts";

export function UserMenu({ name, email, role }: { name: string; email: string; role: Role }) {
  const t = useTranslations("layout");
  const { signOut, isPending } = useSignOut();
  return (
    <Menu
      label={t("menus.yourAccount")}
      align="end"
      heading={
        <>
          <span className="block truncate font-medium">{name}</span>
          <span className="block truncate text-sm text-muted">{email}</span>
          <span className="block text-sm text-muted">{t(`roles.${role}`)}</span>
        </>
      }
      entries={[
        { label: t("menus.guide"), icon: BookOpen, link: <ScopedLink href="/guide" /> },
        { label: t("menus.tour"), icon: Compass, link: <ScopedLink href="?tour" /> },
        {
          label: t("menus.signOut"),
          icon: LogOut,
          onSelect: signOut,
          isPending,
          isApart: true,
        },
      ]}
      trigger={(props) => (
        <Button look="quiet" className="max-w-48" {...props}>
          <span
            aria-hidden
            className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
          >
            {initialOf(name)}
          </span>
          <span className="truncate max-sm:sr-only">{name}</span>
          <ChevronDown aria-hidden className="size-3.5 shrink-0 max-sm:hidden" />
        </Button>
      )}
    />
  );
}

export function SignOutButton() {
  const t = useTranslations("layout.menus");
  const { signOut, isPending } = useSignOut();
  return (
    <Button
      look="quiet"
      className="w-full justify-start"
      isPending={isPending}
      onClick={() => void signOut()}
    >
      {!isPending && <LogOut aria-hidden className="size-4" />}
      {t("signOut")}
    </Button>
  );
}

export function useSignOut() {
  const t = useTranslations("layout.menus");
  const [isPending, setPending] = useState(false);

  async function signOut() {
    setPending(true);
    const result = await signOutAction().catch(() => null);
    if (result?.ok || result?.failure.kind === "signed_out") {
      forgetDrafts();
      // A full load, so that no data of this seller stays in memory.
      window.location.assign("/sign-in");
      return;
    }
    setPending(false);
    showToast({ text: t("stillSignedIn"), isFailure: true });
  }

  return { signOut, isPending };
}

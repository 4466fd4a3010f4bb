"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { FlaskConical } from "#components/ui/icons.tsx";
import type { Role } from "#lib/auth/permissions.ts";
import type { Mode, Scope } from "#lib/scope.ts";
import { cn } from "#lib/cn.ts";
import { ScopedLink } from "#components/context/seller-context.tsx";
import { Logo } from "./navigation/logo.tsx";
import { BandClock, ModeSwitch } from "./navigation/mode-switch.tsx";
import { Navigation } from "./navigation/navigation.tsx";
import { PaletteButton } from "./command-window.tsx";
import { type SellerChoice, SellerSwitcher } from "./navigation/seller-switcher.tsx";
import { SkipLink } from "./navigation/skip-link.tsx";
import { SignOutButton, UserMenu } from "./navigation/user-menu.tsx";

interface AppShellProps {
  scope: Scope;
  sellers: SellerChoice[];
  user: { name: string; email: string };
  role: Role;
  /** A status in the top bar, whose space is reserved. */
  sign: ReactNode;
  /** Buttons in the top bar, before the account menu. */
  tools: ReactNode;
  children: ReactNode;
}

export function AppShell({ scope, sellers, user, role, sign, tools, children }: AppShellProps) {
  const t = useTranslations("layout");
  return (
    <div
      className={cn("min-h-dvh", scope.mode === "test" ? "[--band:1.75rem]" : "[--band:0rem]")}
    >
      <SkipLink />
      <ModeBand mode={scope.mode} />
      <div className="frame">
        <nav aria-label={t("main")} className="frame-nav">
          <ScopedLink
            href=""
            aria-label={t("home")}
            className="flex h-14 items-center rounded max-lg:justify-center max-md:hidden lg:px-1"
          >
            <Logo isCompact />
          </ScopedLink>
          <Navigation />
        </nav>
        <div className="flex min-w-0 flex-col">
          <header className="frame-header">
            <SellerSwitcher sellers={sellers} />
            <div className="ml-auto flex shrink-0 gap-3">
              {sign}
              <PaletteButton />
              <div className="max-md:hidden">
                <ModeSwitch />
              </div>
            </div>
            {tools}
            <div className="shrink-0 max-md:-mr-3">
              <UserMenu {...user} role={role} />
            </div>
          </header>
          <main id="content" tabIndex={-1} className="frame-page">
            {children}
          </main>
        </div>
      </div>
    </div>
  );
}

interface AccountShellProps {
  sellers: SellerChoice[];
  children: ReactNode;
}

/** The frame of the account page for people who lack a required second factor. */
export function AccountShell({ sellers, children }: AccountShellProps) {
  return (
    <div className="min-h-dvh">
      <SkipLink />
      <header className="flex h-14 items-center gap-5 border-b px-4 md:px-6 lg:px-8">
        <Logo isCompact />
        <SellerSwitcher sellers={sellers} />
        <div className="ml-auto shrink-0">
          <SignOutButton />
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-7xl px-4 py-6 outline-none md:px-6 md:py-8 lg:px-8"
      >
        {children}
      </main>
    </div>
  );
}

/** The strip above every page in test mode. */
function ModeBand({ mode }: { mode: Mode }) {
  const t = useTranslations("layout.mode");
  if (mode === "live") return null;
  return (
    <section aria-label={t("label")} className="mode-band">
      <FlaskConical aria-hidden className="size-3.5 shrink-0" />
      <span>{t("band")}</span>
      <span className="-ml-0.5 truncate">
        <span className="max-sm:hidden">{t("long")}</span>
        <span className="sm:hidden">{t("short")}</span>
      </span>
      <BandClock />
    </section>
  );
}

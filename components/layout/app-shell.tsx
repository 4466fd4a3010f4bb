import { FlaskConical } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { Badge } from "#components/ui/badge.tsx";
import { Logo } from "./logo.tsx";
import { Navigation } from "./navigation.tsx";
import { UserMenu } from "./user-menu.tsx";

interface AppShellProps {
  sellerName: string;
  user: { name: string; email: string };
  role: string;
  children: ReactNode;
}

export function AppShell({ sellerName, user, role, children }: AppShellProps) {
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[3.75rem_minmax(0,1fr)] lg:grid-cols-[13.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-30 rounded bg-accent-strong px-3 py-2 font-medium text-white focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <nav
        aria-label="Main"
        className="z-20 max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:border-t max-md:bg-surface max-md:pb-[env(safe-area-inset-bottom)] md:sticky md:top-0 md:h-dvh md:border-r md:px-3"
      >
        <Link
          href="/subscriptions"
          aria-label="Duebook"
          className="flex h-14 items-center rounded max-lg:justify-center max-md:hidden lg:px-1"
        >
          <Logo isCompact />
        </Link>
        <Navigation />
      </nav>
      <div className="flex min-w-0 flex-col">
        <header className="sticky top-0 z-10 flex h-14 items-center gap-3 border-b bg-canvas/85 px-4 backdrop-blur md:px-6 lg:px-8">
          <p className="min-w-0 truncate font-medium">{sellerName}</p>
          <Badge
            icon={FlaskConical}
            className="shrink-0 bg-warning-soft text-warning"
            title="Nothing here moves real money."
          >
            Test mode
          </Badge>
          <div className="ml-auto shrink-0 max-md:-mr-3">
            <UserMenu {...user} role={role} />
          </div>
        </header>
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-7xl flex-1 px-4 py-6 outline-none max-md:pb-24 md:px-6 md:py-8 lg:px-8"
        >
          {children}
        </main>
      </div>
    </div>
  );
}

import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { CommandLayer } from "#components/keyboard/command-layer.tsx";
import { Bell } from "#components/notifications/bell.tsx";
import { AccountShell, AppShell } from "#components/shell/app-shell.tsx";
import { ConnectionGate } from "#components/shell/connection-gate.tsx";
import { ConnectionIndicator, LiveUpdates } from "#components/live/live-updates.tsx";
import {
  AwaitedReads,
  HydratedQueries,
  QueryProvider,
} from "#components/shell/query-provider.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { SellerProvider } from "#components/context/seller-context.tsx";
import { readScope, scopePath, type Scope } from "#lib/scope.ts";
import { listMemberships, saveLastScope } from "#lib/auth/sessions/session.ts";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { getConnection } from "#lib/connection/data.ts";
import { database } from "#lib/db/pool.ts";
import { awaitInitialReads, prefetch } from "#lib/query/prefetch.ts";
import { listViews } from "#lib/subscriptions/views/data.ts";
import { viewsQuery } from "#lib/subscriptions/views/queries.ts";

/** Milliseconds until the skeleton appears; the same value as `--wait-unseen` in globals.css. */
const SKELETON_AFTER = 200;

interface DashboardLayoutProps {
  params: ScopeParams;
  children: ReactNode;
}

/** The page name comes first, because browser tabs cut off the end. */
export async function generateMetadata({ params }: { params: ScopeParams }): Promise<Metadata> {
  const isTest = readScope(await params)?.mode === "test";
  const t = await getTranslations("layout.mode");
  const template = isTest ? `%s · ${t("test")} · Duebook` : "%s · Duebook";
  return { title: { default: "Duebook", template } };
}

export default async function DashboardLayout({ params, children }: DashboardLayoutProps) {
  const { session, seller, user, role, scope, now, lacks_second_factor } = await sellerPage(
    params,
    "account:manage",
  );
  await saveLastScope(database(), session, scope);
  const [memberships, desk] = await Promise.all([
    listMemberships(database(), user.id),
    lacks_second_factor ? null : readDesk(scope),
  ]);
  const sellers = memberships.map(({ seller: { code, name }, role: held }) => ({
    code,
    name,
    role: held,
  }));
  return (
    <ClientMessages of="desk">
      <QueryProvider key={scopePath(scope)}>
        <SellerProvider
          scope={scope}
          name={seller.name}
          time_zone={seller.time_zone}
          currency={seller.currency}
          amount_style={seller.amount_style}
          leave_reasons={seller.leave_reasons}
          needs_leave_reason={seller.needs_leave_reason}
          role={role}
          lacks_second_factor={lacks_second_factor}
          person={user.id}
          second_calendar={user.second_calendar}
          character_keys={user.character_keys}
          now={now}
        >
          {desk ? (
            <HydratedQueries json={desk.views.json}>
              <AppShell
                scope={scope}
                sellers={sellers}
                user={user}
                role={role}
                sign={<ConnectionIndicator />}
                tools={<Bell />}
              >
                <ConnectionGate connection={desk.connection}>
                  <AwaitedReads reads={desk.reads}>{children}</AwaitedReads>
                </ConnectionGate>
              </AppShell>
              <CommandLayer />
              <LiveUpdates />
            </HydratedQueries>
          ) : (
            <AccountShell sellers={sellers}>{children}</AccountShell>
          )}
        </SellerProvider>
      </QueryProvider>
    </ClientMessages>
  );
}

/** Reads what every page needs. Not called for people who may open only their account. */
async function readDesk(scope: Scope) {
  const [connection, views] = await Promise.all([
    getConnection(scope),
    prefetch(viewsQuery(scope), () => listViews(scope)),
  ]);
  return { connection, views, reads: awaitInitialReads(SKELETON_AFTER, await getLocale()) };
}

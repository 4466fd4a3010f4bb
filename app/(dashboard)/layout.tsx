import type { ReactNode } from "react";
import { AppShell } from "#components/layout/app-shell.tsx";
import { QueryProvider } from "#components/layout/query-provider.tsx";
import { SellerProvider } from "#components/layout/seller-context.tsx";
import { sellerPage } from "#lib/auth/seller-page.ts";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { seller, user, role, now } = await sellerPage("dashboard:open");
  return (
    <QueryProvider>
      <SellerProvider name={seller.name} time_zone={seller.time_zone} role={role} now={now}>
        <AppShell sellerName={seller.name} user={user} role={role}>
          {children}
        </AppShell>
      </SellerProvider>
    </QueryProvider>
  );
}

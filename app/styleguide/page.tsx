import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ResultBadge } from "#components/audit-log/result-badge.tsx";
import { DeliveryStateBadge } from "#components/deliveries/delivery-state-badge.tsx";
import { ChartSpecimens } from "#components/styleguide/chart-specimens.tsx";
import { ControlSpecimens } from "#components/styleguide/control-specimens.tsx";
import { OverlaySpecimens } from "#components/styleguide/overlay-specimens.tsx";
import { PanelSpecimens } from "#components/styleguide/panel-specimens.tsx";
import { Specimen, Specimens } from "#components/styleguide/specimen.tsx";
import { TableSpecimens } from "#components/styleguide/table-specimens.tsx";
import { TokenSpecimens } from "#components/styleguide/token-specimens.tsx";
import { BulkStateBadge } from "#components/subscriptions/bulk/bulk-state-badge.tsx";
import { SubscriptionStatusBadge } from "#components/subscriptions/subscription-status-badge.tsx";
import { RoleBadge } from "#components/team/role-badge.tsx";
import { DELIVERY_STATES } from "#contract/deliveries.ts";
import { SUBSCRIPTION_STATUSES } from "#contract/subscription-statuses.ts";
import { RESULTS } from "#lib/audit-log/search.ts";
import { ROLES } from "#lib/auth/permissions.ts";
import { isDevelopment } from "#lib/env.ts";
import { ITEM_STATES } from "#lib/subscriptions/bulk/rules.ts";

export const metadata: Metadata = { title: "Style guide" };

/** Every part in every state, in both schemes; for those who write the dashboard, in no other run. */
export default function StyleguidePage() {
  if (!isDevelopment()) notFound();
  return (
    <main className="p-4 pb-24 lg:p-8">
      <h1 className="mb-5 text-2xl font-semibold">Style guide</h1>
      <div className="grid gap-6 lg:grid-cols-2">
        <Scheme scheme="light" />
        <Scheme scheme="dark" />
      </div>
    </main>
  );
}

function Scheme({ scheme }: { scheme: "light" | "dark" }) {
  return (
    <section
      data-scheme={scheme}
      aria-label={scheme}
      className="min-w-0 rounded-lg border bg-canvas px-5 text-ink"
    >
      <h2 className="py-4 text-lg font-semibold capitalize">{scheme}</h2>
      <TokenSpecimens />
      <Badges />
      <ControlSpecimens id={scheme} />
      <OverlaySpecimens />
      <ChartSpecimens />
      <PanelSpecimens />
      <TableSpecimens />
    </section>
  );
}

function Badges() {
  return (
    <Specimens title="Badges">
      <Specimen label="subscription">
        {[...SUBSCRIPTION_STATUSES, "a_newer_status"].map((status) => (
          <SubscriptionStatusBadge key={status} status={status} />
        ))}
      </Specimen>
      <Specimen label="delivery">
        {DELIVERY_STATES.map((state) => (
          <DeliveryStateBadge key={state} state={state} />
        ))}
      </Specimen>
      <Specimen label="an item of a bulk change">
        {ITEM_STATES.map((state) => (
          <BulkStateBadge key={state} state={state} isClosed={false} />
        ))}
      </Specimen>
      <Specimen label="role">
        {ROLES.map((role) => (
          <RoleBadge key={role} role={role} />
        ))}
      </Specimen>
      <Specimen label="result">
        {RESULTS.map((result) => (
          <ResultBadge key={result} result={result} />
        ))}
      </Specimen>
    </Specimens>
  );
}

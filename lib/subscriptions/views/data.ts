import "server-only";
import { can } from "#lib/auth/permissions.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { database } from "#lib/db/pool.ts";
import { runInCountQueue } from "#lib/fair-queue.ts";
import { countMatchesOfViews, selectViews, type Viewer } from "./store.ts";
import type { ViewCounts } from "./queries.ts";
import type { View } from "./rules.ts";

export const viewerOf = ({ owner, user, role }: SignedIn): Viewer => ({
  ...owner,
  user_id: user.id,
  may_share: can(role, "views:share"),
});

/** The user's own views in their order, then the shared ones. */
export async function listViews(scope: Scope): Promise<View[]> {
  return selectViews(database(), viewerOf(await requireSeller(scope, "subscriptions:read")));
}

/** The search text of a view that the user sees; empty if there is no such view. */
export async function searchTextOfView(scope: Scope, id: string): Promise<string> {
  const views = await listViews(scope);
  return views.find((view) => view.id === id)?.words ?? "";
}

export async function countViews(scope: Scope): Promise<ViewCounts> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  return runInCountQueue(signedIn.owner.seller_id, () =>
    countMatchesOfViews(database(), viewerOf(signedIn), signedIn.seller.time_zone),
  );
}

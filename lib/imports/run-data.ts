import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import type { Scope } from "#lib/scope.ts";
import { UUID } from "#lib/search-params.ts";
import { isUnderWay, type ImportProgress } from "./run-queries.ts";
import { selectImportProgress } from "./run-store.ts";
import { findTakeOver, isTakeOverOffered } from "./take-over.ts";

/**
 * The progress of an import's run.
 * @throws AppError `not_found`
 */
export async function getImportProgress(scope: Scope, id: string): Promise<ImportProgress> {
  const signedIn = await requireSeller(scope, "subscriptions:create");
  if (!UUID.test(id)) throw new AppError({ kind: "not_found" });
  const progress = await selectImportProgress(database(), signedIn.owner, id);
  const can_undo =
    progress.counts.done > 0 &&
    (isUnderWay(progress) || (await isTakeOverOffered(findTakeOver(signedIn))));
  return { ...progress, can_undo };
}

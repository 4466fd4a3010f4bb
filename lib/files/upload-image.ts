import "server-only";
import type { AccountImage } from "#contract/account.ts";
import { MAX_IMAGE_BYTES } from "#contract/names.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { findOwnAccount } from "#lib/billing/account.ts";
import { AppError } from "#lib/failure.ts";
import type { Scope } from "#lib/scope.ts";
import { readUpload } from "./read-upload.ts";

/**
 * Stores an image at the billing service, for a form that then saves its address. A route, because
 * actions take at most 1 MB.
 * @throws AppError `validation` for a file that is empty, too large or, in the field `content`, refused
 * by the service; `not_offered` where this installation opened no account
 */
export async function uploadImage(scope: Scope, request: Request): Promise<AccountImage> {
  const { owner } = await requireSeller(scope, "products:write");
  const opened = await findOwnAccount(owner);
  if (!opened) throw new AppError({ kind: "not_offered" });
  const bytes = await readUpload(request, {
    mostBytes: MAX_IMAGE_BYTES,
    empty: "ui.image.problem.damaged",
    large: "ui.image.problem.bytes",
  });
  return opened.account.uploadImage(bytes.toString("base64"));
}

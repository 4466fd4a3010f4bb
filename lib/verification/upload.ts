import "server-only";
import * as z from "zod";
import { DOCUMENT_KINDS, MAX_DOCUMENT_BYTES } from "#contract/names.ts";
import type { Verification } from "#contract/verification.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { writeAudit } from "#lib/auth/guards/write-audit.ts";
import { database } from "#lib/db/pool.ts";
import { readFileName } from "#lib/files/file-name.ts";
import { readUpload, refusedUpload } from "#lib/files/read-upload.ts";
import type { Scope } from "#lib/scope.ts";
import { requireAccount } from "./data.ts";

const Kind = z.enum(DOCUMENT_KINDS);

/**
 * Hands a document of the business to the billing service. A route, because actions take at most 1 MB.
 * @throws AppError `validation` for a file that is empty or too large, or that the service refuses
 */
export async function uploadDocument(scope: Scope, request: Request): Promise<Verification> {
  const { owner, user } = await requireSeller(scope, "connection:write");
  const kind = Kind.safeParse(new URL(request.url).searchParams.get("kind")).data;
  if (!kind) throw refusedUpload("verification.documents.upload.kind");
  const bytes = await readUpload(request, {
    mostBytes: MAX_DOCUMENT_BYTES,
    empty: "verification.documents.upload.empty",
    large: "verification.documents.upload.large",
  });
  const verification = await (
    await requireAccount(owner)
  ).addDocument({
    kind,
    name: readFileName(request) || "document",
    content: bytes.toString("base64"),
  });
  await writeAudit(database(), {
    action: "verification.add-document",
    seller_id: owner.seller_id,
    mode: owner.mode,
    user_id: user.id,
    result: "done",
    detail: { kind },
  });
  return verification;
}

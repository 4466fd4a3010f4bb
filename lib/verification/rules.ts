import type { DocumentKind, DocumentType } from "#contract/names.ts";
import type { Verification } from "#contract/verification.ts";
import type { Failure } from "#lib/failure.ts";
import { apiPath, type Scope } from "#lib/scope.ts";

/** The verification; why it is unknown; or that Duebook did not open the account. */
export type VerificationResult =
  { verification: Verification } | { failure: Failure } | { absence: "elsewhere" };

/** What a file field accepts. The service decides by the content. */
export const ACCEPTED_FILES: readonly DocumentType[] = [
  "image/png",
  "image/jpeg",
  "application/pdf",
];

/** The route that takes a document as the body of a POST. */
export const uploadPath = (scope: Scope, kind: DocumentKind): string =>
  apiPath(scope, `/verification/documents?${new URLSearchParams({ kind })}`);

/** A file's size in words that need no translation. */
export const fileSizeOf = (bytes: number): string =>
  bytes < 1_024 * 1_024
    ? `${Math.max(1, Math.round(bytes / 1_024))} KB`
    : `${(bytes / (1_024 * 1_024)).toFixed(1)} MB`;

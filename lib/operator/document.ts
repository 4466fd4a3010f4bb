import "server-only";
import type { OperatorClient } from "#lib/billing/operator-client.ts";
import { AppError } from "#lib/failure.ts";
import { readAccountNumber } from "./rules.ts";

const IMAGES = /^image\/(?:png|jpeg)$/;

/**
 * A document that a business submitted. The browser shows images and downloads everything else, so
 * that no script in a document runs on this site.
 * @throws AppError `not_found`
 */
export async function readOperatorDocument(
  operator: OperatorClient,
  { id }: { id: string },
  request: Request,
): Promise<Response> {
  const account = readAccountNumber(id);
  const document = new URL(request.url).searchParams.get("document");
  if (account === null || !document) throw new AppError({ kind: "not_found" });
  const { name, media_type, content } = await operator.readDocument(account, document);
  const isImage = IMAGES.test(media_type);
  return new Response(Buffer.from(content, "base64"), {
    headers: {
      "content-type": isImage ? media_type : "application/octet-stream",
      "content-disposition": `${isImage ? "inline" : "attachment"}; filename*=UTF-8''${encodeURIComponent(name)}`,
      "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      "cache-control": "no-store",
    },
  });
}

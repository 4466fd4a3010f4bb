import "server-only";
import { AppError, failureOf, httpStatusOf } from "#lib/failure.ts";
import { requireOperator } from "./require-operator.ts";
import { readAccountNumber } from "./rules.ts";

const IMAGES = /^image\/(?:png|jpeg)$/;

/**
 * A document that a business handed in. Images show in the browser; everything else is downloaded,
 * so that nothing of it runs here.
 */
export async function readOperatorDocument({
  account,
  document,
}: {
  account: string;
  document: string;
}): Promise<Response> {
  try {
    const { operator } = await requireOperator();
    const number = readAccountNumber(account);
    if (number === null) throw new AppError({ kind: "not_found" });
    const { name, media_type, content } = await operator.readDocument(number, document);
    const isImage = IMAGES.test(media_type);
    return new Response(Buffer.from(content, "base64"), {
      headers: {
        "content-type": isImage ? media_type : "application/octet-stream",
        "content-disposition": `${isImage ? "inline" : "attachment"}; filename*=UTF-8''${encodeURIComponent(name)}`,
        "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
        "cache-control": "no-store",
      },
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return Response.json(failureOf(error), { status: httpStatusOf(error.failure) });
  }
}

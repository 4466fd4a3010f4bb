import type { FastifyInstance } from "fastify";
import { AccountImage, UploadImage } from "#contract/account.ts";
import { IMAGE_PROBLEMS } from "#contract/field-messages.ts";
import { MAX_IMAGE_BYTES } from "#contract/names.ts";
import type { ServiceContext } from "../context.ts";
import type { Database } from "../db/database.ts";
import { sellerOf } from "../http/authenticate.ts";
import { ApiError, detailError } from "../http/errors.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { parseBody } from "../http/write.ts";
import { encodeImage } from "./encode.ts";
import { digestOf, imageUrl, insertImage, noteImageUse } from "./store.ts";

/** Bytes of a body that holds an image in base64. */
const BODY_LIMIT = Math.ceil((MAX_IMAGE_BYTES * 4) / 3) + 1_000;
const MOST_IMAGES = 1_000;

/** Needs no Idempotency-Key: the same image has the same address. */
export function imageRoutes(api: FastifyInstance, { pool, publicUrl, now }: ServiceContext) {
  api.post("/images/", {
    bodyLimit: BODY_LIMIT,
    ...withRouteDoc({
      summary: "Upload an image",
      description:
        "A PNG, JPEG or WebP image of at most 5 MB and 50 megapixels, recognized from its content. It is stored without metadata, at most 1200 pixels a side, and anybody may see it. Its address can be an image of a product, or the logo of the checkout; an image that is neither is deleted after a day.",
      status: 201,
      success: "Stored",
      answer: AccountImage,
      body: UploadImage,
      refusals: { 400: { text: "The image is not accepted", schema: "Problem" } },
    }),
    handler: async (request, reply) => {
      const { content: text } = parseBody(UploadImage, request.body);
      const content = Buffer.from(text, "base64");
      if (content.length > MAX_IMAGE_BYTES) throw refused(IMAGE_PROBLEMS.bytes);
      const encoded = await encodeImage(content);
      if ("problem" in encoded) throw refused(encoded.problem);
      const { seller_id } = sellerOf(request);
      const limits = { at: now(), most: MOST_IMAGES };
      if (!(await insertImage(pool, seller_id, encoded, limits)))
        throw detailError(400, `Upload at most ${MOST_IMAGES} images. Remove one first.`);
      const { digest, width, height } = encoded;
      const bytes = encoded.content.length;
      return reply.code(201).send({ url: imageUrl(publicUrl, digest), width, height, bytes });
    },
  });
}

const refused = (problem: string) => new ApiError(400, { content: [problem] });

interface Naming {
  seller_id: number;
  publicUrl: string;
  at: Date;
  /** Images that the record already has, whoever uploaded them. */
  kept: readonly string[];
}

/**
 * Refuses addresses other than those kept and those of the seller's own uploads.
 * @throws ApiError 400 at that field
 */
export async function requireOwnImages(
  database: Database,
  field: string,
  urls: readonly string[],
  { seller_id, publicUrl, at, kept }: Naming,
): Promise<void> {
  const added = [...new Set(urls.filter((url) => !kept.includes(url)))];
  const digests = added.flatMap((url) => digestOf(publicUrl, url) ?? []);
  const found = await noteImageUse(database, seller_id, digests, at);
  if (found < added.length)
    throw new ApiError(400, { [field]: ["Upload the image first, and send its address."] });
}

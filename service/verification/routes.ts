import type { FastifyInstance } from "fastify";
import { FIELD_MESSAGES } from "#contract/field-messages.ts";
import { MAX_DOCUMENT_BYTES } from "#contract/names.ts";
import {
  AddDocument,
  ChangeVerification,
  MAX_DOCUMENTS,
  Verification,
} from "#contract/verification.ts";
import { changedMeanwhileError } from "../account/version.ts";
import type { ServiceContext } from "../context.ts";
import type { Database } from "../db/database.ts";
import { sellerOf } from "../http/authenticate.ts";
import { ApiError, detailError, notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { writeRoute } from "../http/write.ts";
import type { Seller } from "../sellers/store.ts";
import { recognizeDocument } from "./document.ts";
import {
  countDocuments,
  deleteDocument,
  insertDocument,
  lockVerification,
  readVerification,
  updateDetails,
  updateState,
} from "./store.ts";

/** Bytes of a body that holds a document in base64, with room for its name. */
const BODY_LIMIT = Math.ceil((MAX_DOCUMENT_BYTES * 4) / 3) + 10_000;

const NEEDED = ["legal_name", "pan", "contact_name", "contact_phone", "address"] as const;

/** The routes with which a business hands in its verification. */
export function verificationRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, now } = context;

  api.get(
    "/verification/",
    withRouteDoc({
      summary: "Get the state of verification",
      description:
        "Until an account is verified, and while it is suspended, the API lists its products only and checkouts take no payments. The operator of this service verifies. Texts that are not given yet are empty.",
      answer: Verification,
    }),
    (request) => readVerification(pool, sellerOf(request).seller_id),
  );

  api.patch(
    "/verification/",
    writeRoute(context, {
      summary: "Change the details for verification",
      description: "Omitted fields stay unchanged. Refused while the operator is checking.",
      answer: Verification,
      refusals: { 409: "They were changed in the meantime; this request changed nothing" },
      schema: ChangeVerification,
      work: async ({ database, seller }, { version, ...change }) => {
        const kept = await lockOpen(database, seller);
        if (kept.version !== version) throw changedMeanwhileError("The verification");
        await updateDetails(database, seller.seller_id, change);
        return readVerification(database, seller.seller_id);
      },
    }),
  );

  api.post("/verification/documents/", {
    bodyLimit: BODY_LIMIT,
    ...writeRoute(context, {
      summary: "Add a document for verification",
      description: `A PNG or JPEG image or a PDF of at most 5 MB, at most ${MAX_DOCUMENTS}. Its type is recognized from its content. Only the operator can read it.`,
      status: 201,
      success: "Added",
      answer: Verification,
      schema: AddDocument,
      work: async ({ database, seller }, { kind, name, content: text }) => {
        const content = Buffer.from(text, "base64");
        if (content.length > MAX_DOCUMENT_BYTES)
          throw new ApiError(400, { content: ["Upload at most 5 MB."] });
        const recognized = recognizeDocument(content);
        if ("problem" in recognized) throw new ApiError(400, { content: [recognized.problem] });
        await lockOpen(database, seller);
        const document = { kind, name, content, at: now(), ...recognized };
        await insertDocument(database, seller.seller_id, document);
        if ((await countDocuments(database, seller.seller_id)) > MAX_DOCUMENTS)
          throw detailError(400, `Upload at most ${MAX_DOCUMENTS} documents.`);
        return readVerification(database, seller.seller_id);
      },
    }),
  });

  api.post(
    "/verification/documents/:id/remove/",
    writeRoute(context, {
      summary: "Remove a document",
      answer: Verification,
      work: async ({ database, seller }, _, { params: { id } }) => {
        await lockOpen(database, seller);
        if (!isUuid(id) || !(await deleteDocument(database, seller.seller_id, id)))
          throw notFoundError();
        return readVerification(database, seller.seller_id);
      },
    }),
  );

  api.post(
    "/verification/submit/",
    writeRoute(context, {
      summary: "Ask to be verified",
      description: "Hands details and documents to the operator of this service.",
      answer: Verification,
      work: async ({ database, seller }) => {
        await lockOpen(database, seller);
        const { documents, ...details } = await readVerification(database, seller.seller_id);
        const missing: Record<string, string[]> = Object.fromEntries(
          NEEDED.filter((field) => details[field] === "").map((field) => [
            field,
            [FIELD_MESSAGES.required],
          ]),
        );
        if (documents.length === 0) missing["documents"] = ["Upload at least one document."];
        if (Object.keys(missing).length > 0) throw new ApiError(400, missing);
        await updateState(database, seller.seller_id, {
          state: "submitted",
          note: null,
          at: now(),
        });
        return readVerification(database, seller.seller_id);
      },
    }),
  );
}

/** @throws 400 while the operator checks, and once the account is verified */
async function lockOpen(database: Database, { seller_id }: Seller) {
  const { state, version } = await lockVerification(database, seller_id);
  const { state: told } = await readVerification(database, seller_id);
  if (told === "verified") throw detailError(400, "This account is verified already.");
  if (state === "submitted")
    throw detailError(400, "The operator is checking what you handed in. Nothing was changed.");
  return { version };
}

import type { FastifyInstance } from "fastify";
import {
  DocumentContent,
  OperatorAccount,
  OperatorAccountList,
  OperatorNote,
  OperatorQuery,
} from "#contract/verification.ts";
import type { ServiceContext } from "../context.ts";
import { transaction, type Database } from "../db/database.ts";
import { requireSharedToken } from "../http/authenticate.ts";
import { detailError, notFoundError } from "../http/errors.ts";
import { isUuid, requireRecordId } from "../http/ids.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { filteredRoute } from "../http/read.ts";
import { parseBody } from "../http/write.ts";
import { approveAccount, suspendAccount } from "./decide.ts";
import {
  findAccount,
  findDocument,
  lockVerification,
  selectAccounts,
  updateState,
} from "./store.ts";

/** The operator's decisions about accounts, with the operator's own token. */
export function operatorRoutes(
  api: FastifyInstance,
  { pool, now, operatorToken = "" }: ServiceContext,
) {
  requireSharedToken(api, operatorToken, "Only the operator's token opens this address.");

  api.get(
    "/accounts/",
    filteredRoute({
      summary: "List accounts for the operator",
      description:
        "With their details and documents; accounts that have waited the longest come first.",
      filters: OperatorQuery,
      meanings: { state: "Only accounts in this state" },
      answer: OperatorAccountList,
      read: async (parsed) => {
        return { results: await selectAccounts(pool, parsed.state ?? null) };
      },
    }),
  );

  api.get<{ Params: { id: string } }>(
    "/accounts/:id/",
    withRouteDoc({ summary: "Get an account for the operator", answer: OperatorAccount }),
    (request) => requireAccount(pool, requireRecordId(request.params.id)),
  );

  api.get<{ Params: { id: string; document: string } }>(
    "/accounts/:id/documents/:document/",
    withRouteDoc({ summary: "Get a document for the operator", answer: DocumentContent }),
    async ({ params }): Promise<DocumentContent> => {
      const sellerId = requireRecordId(params.id);
      const document = isUuid(params.document)
        ? await findDocument(pool, sellerId, params.document)
        : null;
      if (!document) throw notFoundError();
      return { ...document, content: document.content.toString("base64") };
    },
  );

  const decide = (
    path: string,
    summary: string,
    { needsNote }: { needsNote: boolean },
    work: (database: Database, sellerId: number, note: string | null) => Promise<unknown>,
  ) =>
    api.post<{ Params: { id: string } }>(
      `/accounts/:id/${path}/`,
      withRouteDoc({
        summary,
        answer: OperatorAccount,
        ...(needsNote && { body: OperatorNote }),
        refusals: {
          400: { text: "The account's state does not allow that", schema: "Problem" },
        },
      }),
      async (request): Promise<OperatorAccount> => {
        const note = needsNote ? parseBody(OperatorNote, request.body).note : null;
        const sellerId = requireRecordId(request.params.id);
        return transaction(pool, async (database) => {
          await requireAccount(database, sellerId);
          await work(database, sellerId, note);
          return requireAccount(database, sellerId);
        });
      },
    );

  decide("approve", "Verify an account", { needsNote: false }, (database, sellerId) =>
    approveAccount(database, sellerId, { at: now() }),
  );
  decide(
    "return",
    "Ask an account for more",
    { needsNote: true },
    async (database, sellerId, note) => {
      const { state } = await lockVerification(database, sellerId);
      if (state !== "submitted")
        throw detailError(400, "This account has not asked to be verified.");
      await updateState(database, sellerId, { state: "returned", note, at: now() });
    },
  );
  decide(
    "suspend",
    "Suspend a verified account",
    { needsNote: true },
    async (database, sellerId, note) => {
      const { state } = await requireAccount(database, sellerId);
      if (state !== "verified") throw detailError(400, "This account is not verified.");
      await suspendAccount(database, sellerId, { note, at: now() });
    },
  );
}

/** @throws 404 for an unknown account */
async function requireAccount(database: Database, sellerId: number): Promise<OperatorAccount> {
  const account = await findAccount(database, sellerId);
  if (!account) throw notFoundError();
  return account;
}

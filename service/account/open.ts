import type { FastifyInstance } from "fastify";
import { ISSUED_KEY_HEADER, OpenAccount, OpenedAccount } from "#contract/account.ts";
import type { ServiceContext } from "../context.ts";
import { transaction, type Database } from "../db/database.ts";
import { requireSharedToken } from "../http/authenticate.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { parseBody } from "../http/write.ts";
import { issueKey } from "../sellers/key-store.ts";
import { lockReferencedSeller, type Seller } from "../sellers/store.ts";

const GRACE_DAYS = 7;
const TOKEN_NAME = "Opened with the account";

/** Opens accounts for an installation, whose token belongs to no account and opens nothing else. */
export function openingRoutes(
  api: FastifyInstance,
  { pool, mode, now, accountsToken = "" }: ServiceContext,
) {
  requireSharedToken(api, accountsToken, "Only the token of an installation opens accounts.");

  api.post(
    "/accounts/",
    withRouteDoc({
      summary: "Open an account",
      description: `Opens an account, which works at once in the sandbox and after verification on the live host. The account token is in the header \`${ISSUED_KEY_HEADER}\`. Opening the same \`reference\` again leaves the account as it is and replaces its token, so a lost answer loses no account.`,
      status: 201,
      success: "Opened; the account token is in a header",
      body: OpenAccount,
      answer: OpenedAccount,
      secretHeader: ISSUED_KEY_HEADER,
      isWrite: true,
    }),
    async (request, reply): Promise<OpenedAccount> => {
      const input = parseBody(OpenAccount, request.body);
      const { token, seller } = await transaction(pool, async (database) => {
        const opened = await lockReferencedSeller(database, {
          ...input,
          grace_days: GRACE_DAYS,
          // Sandbox accounts take no money.
          kyc_verified: mode === "test",
          created_at: now(),
        });
        await revokeOpeningTokens(database, opened);
        const text = await issueKey(database, {
          seller_id: opened.seller_id,
          mode,
          kind: "account_token",
          name: TOKEN_NAME,
          created_at: now(),
        });
        return { token: text, seller: opened };
      });
      reply.code(201).header(ISSUED_KEY_HEADER, token);
      return { account_id: seller.seller_id, is_verified: seller.kyc_verified };
    },
  );
}

const revokeOpeningTokens = (database: Database, { seller_id }: Seller) =>
  database.query(
    `update api_key set is_active = false
     where seller_id = $1 and kind = 'account_token' and name = $2 and is_active`,
    [seller_id, TOKEN_NAME],
  );

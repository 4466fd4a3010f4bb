import type { FastifyInstance } from "fastify";
import { AccountDirectory } from "#contract/account.ts";
import { EVENT_KINDS } from "#contract/names.ts";
import type { ServiceContext } from "../context.ts";
import { ACCOUNT_ACCESS, DIRECTORY } from "../http/access.ts";
import { withRouteDoc } from "../http/route-doc.ts";

/** The public list of the account API, by which clients learn what this service offers. */
export function directoryRoute(
  app: FastifyInstance,
  { mode, accountsToken }: Pick<ServiceContext, "mode" | "accountsToken">,
) {
  const offered = Object.entries(ACCOUNT_ACCESS).filter(
    ([, { sharedToken }]) => sharedToken === null || accountsToken !== undefined,
  );
  const operations = offered.map(([route, access]) => {
    const [method = "", url = ""] = route.split(" ");
    return {
      method,
      path: url.replace(/:(\w+)/g, "{$1}"),
      capability: url.slice(DIRECTORY.length).split("/")[0] ?? "",
      scope: access.scope,
      account_token: access.token,
      installation_token: access.sharedToken !== null,
      before_verification: access.beforeVerification,
    };
  });
  const capabilities = [...new Set(operations.map(({ capability }) => capability))];

  app.get(
    DIRECTORY,
    withRouteDoc({
      summary: "List what the account API offers",
      description:
        "Every operation and the credentials that open it: an API key with that scope, the account token, or either. This operation itself needs no key. A service without an account API answers 401 or 404.",
      answer: AccountDirectory,
    }),
    async (): Promise<AccountDirectory> => ({
      mode,
      capabilities,
      events: [...EVENT_KINDS],
      operations,
    }),
  );
}

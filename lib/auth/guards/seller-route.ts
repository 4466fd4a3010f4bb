import "server-only";
import { AppError, DATABASE_AWAY, failureOf, failureResponse } from "#lib/failure.ts";
import { isDatabaseAway, logOutage } from "#lib/log.ts";
import { logSecurity } from "#lib/log.ts";
import type { Permission } from "#lib/auth/permissions.ts";
import { requireSeller } from "./require-seller.ts";
import { readScope, type Scope } from "#lib/scope.ts";
import type { ScopeParams } from "./seller-page.ts";

const NO_STORE = { "cache-control": "no-store" };

/**
 * The guard of routes: answers with JSON, or with a status and a Failure. A Response from `read` (a file) is
 * passed on.
 */
export function sellerRoute<Params extends Awaited<ScopeParams>>(
  permission: Permission,
  read: (scope: Scope, request: Request, params: Params) => Promise<unknown>,
) {
  return async (request: Request, context: { params: Promise<Params> }): Promise<Response> => {
    try {
      if (request.headers.get("sec-fetch-site") === "cross-site") {
        logSecurity("origin.refused", { guard: "route" });
        throw new AppError({ kind: "forbidden" });
      }
      const params = await context.params;
      const { scope } = await requireSeller(readScope(params), permission);
      const answer = await read(scope, request, params);
      return answer instanceof Response ? answer : Response.json(answer, { headers: NO_STORE });
    } catch (error) {
      const isAway = isDatabaseAway(error);
      if (isAway) logOutage(error);
      else if (!(error instanceof AppError)) throw error;
      return failureResponse(isAway ? DATABASE_AWAY : failureOf(error));
    }
  };
}

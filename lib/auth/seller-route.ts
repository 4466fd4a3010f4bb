import "server-only";
import { BillingError, failureOf, statusOf } from "#lib/billing/errors.ts";
import type { Permission } from "./permissions.ts";
import { requireSeller } from "./require-seller.ts";

const NO_STORE = { "cache-control": "no-store" };

/** The route's door: the read as JSON, a refusal or a failure as a status and a Failure. */
export function sellerRoute<Context>(
  permission: Permission,
  read: (request: Request, context: Context) => Promise<unknown>,
) {
  return async (request: Request, context: Context): Promise<Response> => {
    try {
      await requireSeller(permission);
      return Response.json(await read(request, context), { headers: NO_STORE });
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      const failure = failureOf(error);
      return Response.json(failure, { status: statusOf(failure), headers: NO_STORE });
    }
  };
}

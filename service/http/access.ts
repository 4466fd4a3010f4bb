import type { KeyScope } from "#contract/names.ts";
import { detailError } from "./errors.ts";

/** What opens a route that needs a credential (ADR 0230). */
export interface Access {
  /** The scope that an API key needs; null if no API key opens the route. */
  scope: KeyScope | null;
  /** Whether the account token opens the route. */
  token: boolean;
  /** The owner of a token that opens the route instead; such a token belongs to no account. */
  sharedToken: "installation" | "operator" | null;
  /** Whether the route works while the account is not verified. */
  beforeVerification: boolean;
}

const byKey = (scope: KeyScope): Access => ({
  scope,
  token: true,
  sharedToken: null,
  beforeVerification: false,
});
const BY_TOKEN: Access = { ...byKey("account"), scope: null };
const BY_INSTALLATION: Access = { ...BY_TOKEN, token: false, sharedToken: "installation" };
const BY_OPERATOR: Access = { ...BY_INSTALLATION, sharedToken: "operator" };
const early = (access: Access): Access => ({ ...access, beforeVerification: true });

/**
 * The one table of the account API: guards, the OpenAPI document and the list of capabilities derive
 * from it. What an account needs to become verified, and to switch off a leaked key, works before
 * verification.
 */
export const ACCOUNT_ACCESS: Record<string, Access> = {
  "POST /account/v1/accounts/": BY_INSTALLATION,
  "GET /account/v1/profile/": early(byKey("read")),
  "PATCH /account/v1/profile/": early(byKey("account")),
  "GET /account/v1/verification/": early(byKey("read")),
  "PATCH /account/v1/verification/": early(byKey("account")),
  "POST /account/v1/verification/documents/": early(byKey("account")),
  "POST /account/v1/verification/documents/:id/remove/": early(byKey("account")),
  "POST /account/v1/verification/submit/": early(byKey("account")),
  "GET /account/v1/keys/": early(BY_TOKEN),
  "POST /account/v1/keys/": BY_TOKEN,
  "PATCH /account/v1/keys/:id/": BY_TOKEN,
  "POST /account/v1/keys/:id/roll/": BY_TOKEN,
  "POST /account/v1/keys/:id/revoke/": early(BY_TOKEN),
  "GET /account/v1/products/": early(byKey("read")),
  "POST /account/v1/products/": byKey("account"),
  "GET /account/v1/products/:id/": early(byKey("read")),
  "PATCH /account/v1/products/:id/": byKey("account"),
  "POST /account/v1/images/": byKey("account"),
  "GET /account/v1/products/:id/subscribers/": byKey("read"),
  "GET /account/v1/products/:id/shared-links/": byKey("read"),
  "POST /account/v1/products/:id/shared-links/": byKey("account"),
  "GET /account/v1/moves/preview/": byKey("read"),
  "POST /account/v1/moves/": byKey("account"),
  "POST /account/v1/moves/:id/undo/": byKey("account"),
  "GET /account/v1/deliveries/": byKey("read"),
  "GET /account/v1/deliveries/:id/": byKey("read"),
  "POST /account/v1/deliveries/:id/resend/": byKey("write"),
  "POST /account/v1/deliveries/recover/": byKey("write"),
  "GET /account/v1/webhooks/notices/": byKey("read"),
  "POST /account/v1/webhooks/:id/example/": byKey("write"),
  "POST /account/v1/webhooks/:id/rotate-secret/": byKey("write"),
  "GET /account/v1/payments/": byKey("read"),
  "POST /account/v1/subscriptions/": byKey("account"),
  "POST /account/v1/subscriptions/:id/withdraw/": byKey("write"),
  "GET /account/v1/subscriptions/:id/payments/": byKey("read"),
  "POST /account/v1/subscriptions/:id/payments/": byKey("account"),
  "GET /account/v1/subscriptions/:id/corrections/": byKey("read"),
  "GET /account/v1/recorded-payments/": byKey("read"),
  "GET /account/v1/recorded-payments/:id/photo/": byKey("account"),
  "POST /account/v1/recorded-payments/:id/approve/": byKey("account"),
  "POST /account/v1/recorded-payments/:id/decline/": byKey("account"),
  "POST /account/v1/recorded-payments/:id/reverse/": byKey("account"),
  "POST /account/v1/payments/:id/refunds/": byKey("account"),
  "GET /account/v1/buyer-requests/": byKey("read"),
  "POST /account/v1/buyer-requests/:id/answer/": byKey("write"),
  "GET /account/v1/payment-tasks/": byKey("read"),
  "POST /account/v1/payment-tasks/:id/decide/": byKey("account"),
  "GET /account/v1/refunds/": byKey("read"),
  "POST /account/v1/refunds/:id/confirm/": byKey("account"),
  "POST /account/v1/refunds/:id/refuse/": byKey("account"),
  "POST /account/v1/refunds/:id/retry/": byKey("account"),
  "POST /account/v1/refunds/:id/by-hand/": byKey("account"),
  "GET /account/v1/balances/": byKey("read"),
  "GET /account/v1/statements/:month/": byKey("read"),
  "GET /account/v1/statements/:month/pdf/": byKey("read"),
  "GET /account/v1/changes/": byKey("read"),
  "GET /account/v1/subscription-changes/": byKey("read"),
  "GET /account/v1/bills/": byKey("read"),
  "GET /account/v1/bills/settings/": byKey("read"),
  "PATCH /account/v1/bills/settings/": byKey("account"),
  "GET /account/v1/bills/:id/pdf/": byKey("read"),
  "POST /account/v1/bills/:id/send/": byKey("write"),
  "GET /account/v1/payment-accounts/": byKey("read"),
  "POST /account/v1/payment-accounts/order/": byKey("account"),
  "POST /account/v1/payment-accounts/:provider/": byKey("account"),
  "POST /account/v1/payment-accounts/:provider/remove/": byKey("account"),
  "POST /account/v1/payment-accounts/:provider/check/": byKey("account"),
  "POST /account/v1/payment-accounts/:provider/compare/": byKey("account"),
  "POST /account/v1/payment-accounts/:provider/statement/": byKey("account"),
  "GET /account/v1/channels/": byKey("read"),
  "POST /account/v1/channels/:channel/": byKey("account"),
  "POST /account/v1/channels/:channel/remove/": byKey("account"),
  "POST /account/v1/channels/:channel/check/": byKey("account"),
  "POST /account/v1/channels/:channel/test/": byKey("account"),
  "GET /account/v1/messages/": byKey("read"),
  "POST /account/v1/messages/": byKey("write"),
  "GET /account/v1/reminders/schedule/": byKey("read"),
  "PATCH /account/v1/reminders/schedule/": byKey("account"),
  "POST /account/v1/reminders/preview/": byKey("read"),
  "GET /account/v1/reminders/planned/": byKey("read"),
  "POST /account/v1/reminders/send/": byKey("write"),
  "GET /account/v1/reminders/results/": byKey("read"),
  "GET /account/v1/reminders/holds/": byKey("read"),
  "GET /account/v1/reminders/languages/": byKey("read"),
  "POST /account/v1/reminders/languages/": byKey("write"),
  "POST /account/v1/reminders/holds/": byKey("write"),
  "POST /account/v1/reminders/holds/:id/remove/": byKey("write"),
  "GET /account/v1/reminders/opt-outs/": byKey("read"),
  "POST /account/v1/reminders/opt-outs/": byKey("write"),
  "POST /account/v1/reminders/opt-outs/find/": byKey("read"),
  "POST /account/v1/reminders/opt-outs/:id/remove/": byKey("write"),
};

/**
 * What opens a route; null for a public one. In the API and the sandbox the method decides.
 * @param url as in the router
 * @throws Error for a route of the account API that the table does not list
 */
export function accessOf(method: string, url: string): Access | null {
  const verb = method === "HEAD" ? "GET" : method;
  if (/^\/(api\/v1|sandbox)\//.test(url))
    return {
      scope: verb === "GET" ? "read" : "write",
      token: false,
      sharedToken: null,
      // Spec, Authentication 5: the only route of the API that works before verification.
      beforeVerification: verb === "GET" && url === "/api/v1/products/",
    };
  if (url.startsWith("/operator/v1/")) return BY_OPERATOR;
  if (!url.startsWith("/account/v1/") || url === DIRECTORY) return null;
  const access = ACCOUNT_ACCESS[`${verb} ${url}`];
  if (!access) throw new Error(`${verb} ${url} is missing in ACCOUNT_ACCESS.`);
  return access;
}

/** The address of the public list of what this service's account API offers. */
export const DIRECTORY = "/account/v1/";

/** @throws 403 if a key lacks the scope */
export function requireScope(scopes: readonly KeyScope[], { scope }: Access): void {
  if (scope === null)
    throw detailError(
      403,
      "Only the account token opens this address; an API key does not. Nothing was changed.",
      { "www-authenticate": INSUFFICIENT },
    );
  if (scopes.includes(scope)) return;
  throw detailError(
    403,
    `This API key lacks the scope ${scope}; it has ${scopes.join(", ")}. Nothing was changed.`,
    { "www-authenticate": `${INSUFFICIENT}, scope="${scope}"` },
  );
}

// RFC 6750, 3.1.
const INSUFFICIENT = 'Bearer error="insufficient_scope"';

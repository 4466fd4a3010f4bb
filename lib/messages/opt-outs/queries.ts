import { queryOptions } from "@tanstack/react-query";
import type { OptOut } from "#contract/reminders.ts";
import type { SellerLanguage } from "../reminders/rules.ts";
import { readRoute } from "#lib/query/fetch-json.ts";
import type { Scope } from "#lib/scope.ts";

/** The customer's choices about messages. */
export interface CustomerMessages {
  /** Null where nothing sends reminders to the customer. */
  opt_outs: OptOut[] | null;
  /** The language that was chosen; null without a choice. */
  language: string | null;
  languages: SellerLanguage[];
}

export const customerMessagesQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: [scope, "messages", "opt-outs", id] as const,
    queryFn: readRoute<CustomerMessages>(
      scope,
      `/customers/${encodeURIComponent(id)}/opt-outs`,
    ),
  });

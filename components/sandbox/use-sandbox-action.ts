import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { usePermission, useScope, useSeller } from "#components/context/seller-context.tsx";
import { useScopedAction, useSellerAction } from "#components/forms/use-action.ts";
import type { Scope } from "#lib/scope.ts";
import type { Failure } from "#lib/failure.ts";

type Result<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

/** Sandbox actions may change any list, so all queries are refetched, also after a failure. */
export function useSandboxAction<Input, Value>(
  action: (scope: Scope, input: Input) => Promise<Result<Value>>,
) {
  const scope = useScope();
  const queryClient = useQueryClient();
  async function renewing(given: Scope, input: Input) {
    try {
      return await action(given, input);
    } finally {
      void queryClient.invalidateQueries({ queryKey: [scope] });
    }
  }
  /** `ask` returns the result instead of storing its failure. */
  return { ...useSellerAction(renewing), ask: useScopedAction(renewing) };
}

/** Whether it is unknown if the action was done. */
export const isOutcomeUnknown = (failure: Failure | null): boolean =>
  failure?.kind === "unanswered" ||
  (failure?.kind === "unavailable" && failure.outcome_unknown);

/** Why the member's role cannot do it; null if it can. */
export function useRoleObstacle(permission: "sandbox:write" | "sandbox:pay"): string | null {
  const t = useTranslations("sandbox");
  const { role } = useSeller();
  return usePermission(permission) ? null : t("role", { role });
}

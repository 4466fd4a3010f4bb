import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { usePermission, useScope, useSeller } from "#components/context/seller-context.tsx";
import { useScopedAction, useSellerAction } from "#components/forms/use-action.ts";
import type { Scope } from "#lib/scope.ts";
import type { Failure } from "#lib/failure.ts";

type Result<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

/** Whatever is done in the sandbox may change any list, so all of them are read again, also after a failure. */
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
  /** `ask` tells what became of it to whoever shows it themselves. */
  return { ...useSellerAction(renewing), ask: useScopedAction(renewing) };
}

/** Nobody can say whether it was done. */
export const isLost = (failure: Failure | null): boolean =>
  failure?.kind === "unanswered" ||
  (failure?.kind === "unavailable" && failure.outcome_unknown);

/** Why somebody cannot do it; null for whoever may. */
export function useRoleObstacle(permission: "sandbox:write" | "sandbox:pay"): string | null {
  const t = useTranslations("sandbox");
  const { role } = useSeller();
  return usePermission(permission) ? null : t("role", { role });
}

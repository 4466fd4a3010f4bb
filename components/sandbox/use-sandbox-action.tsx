import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { usePermission, useScope, useSeller } from "#components/context/seller-context.tsx";
import {
  type ActionResult,
  FailureNotice,
  UNANSWERED_RESULT,
  unshownFailure,
  useScopedAction,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import type { Scope } from "#lib/scope.ts";
import { describeFailure, type Failure, isAnswerLost } from "#lib/failure.ts";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { restoreStateAction } from "#lib/sandbox/actions.ts";

/**
 * Runs a sandbox action and refetches all queries, even after a failure, because it may change any
 * list.
 */
export function useSandboxAction<Input, Value>(
  action: (scope: Scope, input: Input) => Promise<ActionResult<Value>>,
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
  failure !== null && (failure.kind === "unanswered" || isAnswerLost(failure));

/** Why the member's role may not run the action; null if it may. */
export function useMissingPermissionText(
  permission: "sandbox:write" | "sandbox:pay",
): string | null {
  const t = useTranslations("sandbox");
  const { role } = useSeller();
  return usePermission(permission) ? null : t("role", { role });
}

const NO_FIELDS = new Set<string>();

/** The failure of a sandbox action; validation errors appear here, not at fields. */
export const SandboxFailure = ({ failure }: { failure: Failure | null }) => (
  <FailureNotice failure={unshownFailure(failure, NO_FIELDS)} />
);

type Restored = Extract<Awaited<ReturnType<typeof restoreStateAction>>, { ok: true }>["value"];

export function useRestore() {
  const t = useTranslations();
  const { run, ask, isPending, failure } = useSandboxAction(restoreStateAction);

  /** @returns false on failure, which `failure` describes */
  async function restore(id: number): Promise<boolean> {
    const done = await run({ id });
    if (done) report(done.value);
    return done !== null;
  }

  function report(restored: Restored) {
    showUndoToast(textOf("restored", restored), restored.undo);
  }

  const textOf = (key: "restored" | "undone", { sent_since, has_receiver }: Restored) =>
    [
      t(`sandbox.states.${key}`, { count: sent_since }),
      !has_receiver && t("sandbox.states.receiverLost"),
    ]
      .filter(Boolean)
      .join(" ");

  /** Restores a state from a toast's undo button; the result is shown in another toast. */
  async function restoreFromToast(id: number) {
    const result = await ask({ id }).catch(() => UNANSWERED_RESULT);
    if (result.ok) return showToast({ text: textOf("undone", result.value) });
    // If the outcome is unknown, the toast does not say that the restoration failed: it may have worked.
    const { title, advice } = describeFailure(t, result.failure, "write");
    const text = isOutcomeUnknown(result.failure)
      ? `${title} ${advice}`
      : t("sandbox.states.notUndone");
    showToast({ text, isFailure: true });
  }

  /** @param undo the state to restore; null if there is none */
  function showUndoToast(text: string, undo: number | null) {
    showToast({ text, ...(undo !== null && { onUndo: () => void restoreFromToast(undo) }) });
  }

  return { ask, report, restore, isPending, failure, showUndoToast };
}

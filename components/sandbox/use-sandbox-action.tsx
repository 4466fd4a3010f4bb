import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { CircleAlert } from "lucide-react";
import { usePermission, useScope, useSeller } from "#components/context/seller-context.tsx";
import {
  type ActionResult,
  FailureNotice,
  useScopedAction,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import type { Scope } from "#lib/scope.ts";
import type { Failure } from "#lib/failure.ts";
import { Notice } from "#components/ui/notice.tsx";
import { inWords } from "#lib/i18n/message.ts";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { restoreStateAction } from "#lib/sandbox/actions.ts";

/** Sandbox actions may change any list, so all queries are refetched, also after a failure. */
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
  failure?.kind === "unanswered" ||
  (failure?.kind === "unavailable" && failure.outcome_unknown);

/** Why the member's role cannot do it; null if it can. */
export function useRoleObstacle(permission: "sandbox:write" | "sandbox:pay"): string | null {
  const t = useTranslations("sandbox");
  const { role } = useSeller();
  return usePermission(permission) ? null : t("role", { role });
}

/** The failure of a sandbox action, or that its outcome is unknown. */
export function SandboxFailure({ failure }: { failure: Failure | null }) {
  const t = useTranslations();
  if (failure === null) return null;
  if (isOutcomeUnknown(failure))
    return <Words title={t("sandbox.failure.lost")}>{t("sandbox.failure.look")}</Words>;
  if (failure.kind === "validation") {
    const reasons = Object.values(failure.fields).flat();
    const title = reasons.map((text) => inWords(t, text)).join(" ");
    return (
      <Words title={title || failure.detail || t("sandbox.failure.refused")}>
        {t("failures.unchanged")}
      </Words>
    );
  }
  return <FailureNotice failure={failure} />;
}

function Words({ title, children }: { title: string; children: string }) {
  return (
    <Notice look="danger" icon={CircleAlert} role="alert" className="mb-4">
      <p className="font-medium">{title}</p>
      <p>{children}</p>
    </Notice>
  );
}

const UNANSWERED = { ok: false, failure: { kind: "unanswered" } } as const;

/** Restores a saved state and reports the result. */
export function useRestore() {
  const t = useTranslations("sandbox.states");
  const tOfFailure = useTranslations("sandbox.failure");
  const { run, ask, isPending, failure } = useSandboxAction(restoreStateAction);

  const withLoss = (text: string, hasReceiver: boolean) =>
    hasReceiver ? text : `${text} ${t("receiverLost")}`;

  /** @returns false on failure, which `failure` describes */
  async function restore(id: number): Promise<boolean> {
    const done = await run({ id });
    if (!done) return false;
    const { undo, sent_since, has_receiver } = done.value;
    showUndoToast(withLoss(t("restored", { count: sent_since }), has_receiver), undo);
    return true;
  }

  /** For the undo of a toast: the result is shown in another toast. */
  async function restoreFromToast(id: number) {
    const result = await ask({ id }).catch(() => UNANSWERED);
    if (result.ok) {
      const { sent_since, has_receiver } = result.value;
      showToast({ text: withLoss(t("undone", { count: sent_since }), has_receiver) });
      return;
    }
    // "Failed" would invite a second try although it may have worked.
    const text = isOutcomeUnknown(result.failure)
      ? `${tOfFailure("lost")} ${tOfFailure("look")}`
      : t("notUndone");
    showToast({ text, isFailure: true });
  }

  /** @param undo the state to restore; null if there is none */
  function showUndoToast(text: string, undo: number | null) {
    showToast({ text, ...(undo !== null && { onUndo: () => void restoreFromToast(undo) }) });
  }

  return { restore, isPending, failure, showUndoToast };
}

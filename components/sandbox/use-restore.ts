import { useTranslations } from "next-intl";
import { showToast } from "#components/ui/overlays/toast.ts";
import { restoreStateAction } from "#lib/sandbox/actions.ts";
import { isOutcomeUnknown, useSandboxAction } from "./use-sandbox-action.ts";

const UNANSWERED = { ok: false, failure: { kind: "unanswered" } } as const;

/** Restores a saved state and reports the result. */
export function useRestore() {
  const t = useTranslations("sandbox.states");
  const tOfFailure = useTranslations("sandbox.failure");
  const { run, ask, isPending, failure, clear } = useSandboxAction(restoreStateAction);

  /** @returns false on failure, which `failure` describes */
  async function restore(id: number): Promise<boolean> {
    const done = await run({ id });
    if (!done) return false;
    const { undo, sent_since, has_receiver } = done.value;
    const text = [t("restored", { count: sent_since }), !has_receiver && t("receiverLost")];
    showUndoToast(text.filter(Boolean).join(" "), undo);
    return true;
  }

  /** For the undo of a toast: the result is shown in another toast. */
  async function restoreFromToast(id: number) {
    const result = await ask({ id }).catch(() => UNANSWERED);
    if (result.ok) {
      const { sent_since, has_receiver } = result.value;
      const text = [t("undone", { count: sent_since }), !has_receiver && t("receiverLost")];
      showToast({ text: text.filter(Boolean).join(" ") });
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

  return {
    restore,
    isPending,
    failure,
    isUnknown: isOutcomeUnknown(failure),
    clear,
    showUndoToast,
  };
}

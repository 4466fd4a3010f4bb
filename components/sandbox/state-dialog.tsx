"use client";

import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { ActionDialog } from "#components/forms/action-dialog.tsx";
import { STATE_KINDS } from "#contract/sandbox-names.ts";
import type { SavedState } from "#contract/sandbox.ts";
import type { Translate } from "#lib/i18n/message.ts";
import { deleteStateAction } from "#lib/sandbox/actions.ts";
import { useRestore, useSandboxAction } from "./use-sandbox-action.tsx";

export interface StateWish {
  does: "restore" | "delete";
  state: SavedState;
}

/** Confirms the restore or deletion of a state, with its effects. */
export function StateDialog({
  wish,
  onClose,
}: {
  wish: StateWish | null;
  onClose: () => void;
}) {
  const t = useTranslations("sandbox");
  const format = useFormat();
  const { ask: restore, report } = useRestore();
  const { ask: remove } = useSandboxAction(deleteStateAction);
  if (!wish) return null;
  const { does, state } = wish;
  const name = stateName(t, state);
  const read = () => ({ id: state.id });
  if (does === "delete")
    return (
      <ActionDialog
        title={t("states.deleteTitle", { name })}
        label={t("states.delete")}
        look="danger"
        isOpen
        action={remove}
        onDone={onClose}
        {...{ onClose, read }}
      >
        {() => <p>{t("states.deleteText")}</p>}
      </ActionDialog>
    );
  return (
    <ActionDialog
      title={t("states.restoreTitle", { name })}
      label={t("states.restore")}
      isOpen
      action={restore}
      onDone={(restored) => {
        report(restored);
        onClose();
      }}
      {...{ onClose, read }}
    >
      {() => (
        <>
          <p>
            {t("states.then", {
              time: format.dateTime(state.clock_at),
              count: state.subscriptions,
              customers: state.customers,
            })}
          </p>
          <ul className="list-disc space-y-1 pl-5 text-muted">
            <li>{t("states.all")}</li>
            <li>{t("states.notUnsent")}</li>
            <li>{t("states.webhooks")}</li>
            <li>{t("states.comeBack")}</li>
          </ul>
        </>
      )}
    </ActionDialog>
  );
}

/** "Before a clock move"; an unknown kind is shown by its own name. */
export function stateName(t: Translate<"sandbox">, { kind, name }: SavedState): string {
  if (name !== "") return name;
  const known = STATE_KINDS.find((one) => one === kind);
  return known ? t(`states.kinds.${known}`) : kind.replaceAll("_", " ");
}

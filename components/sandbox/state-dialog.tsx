"use client";

import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { STATE_KINDS } from "#contract/sandbox-names.ts";
import type { SavedState } from "#contract/sandbox.ts";
import type { Translate } from "#lib/i18n/message.ts";
import { deleteStateAction } from "#lib/sandbox/actions.ts";
import { SandboxFailure, useRestore, useSandboxAction } from "./use-sandbox-action.tsx";

export interface StateWish {
  does: "restore" | "delete";
  state: SavedState;
}

interface StateDialogProps {
  wish: StateWish | null;
  onClose: () => void;
}

/** Confirms the restore or deletion of a state, with its effects. */
export function StateDialog({ wish, onClose }: StateDialogProps) {
  const t = useTranslations("sandbox");
  const name = wish ? stateName(t, wish.state) : "";
  return (
    <Dialog
      title={t(wish?.does === "delete" ? "states.deleteTitle" : "states.restoreTitle", {
        name,
      })}
      isOpen={wish !== null}
      onClose={onClose}
    >
      {wish?.does === "restore" && <Restore state={wish.state} onClose={onClose} />}
      {wish?.does === "delete" && <Delete state={wish.state} onClose={onClose} />}
    </Dialog>
  );
}

interface ConfirmProps {
  state: SavedState;
  onClose: () => void;
}

function Restore({ state, onClose }: ConfirmProps) {
  const t = useTranslations("sandbox");
  const format = useFormat();
  const { restore, isPending, failure } = useRestore();
  const confirm = async () => {
    if (await restore(state.id)) onClose();
  };
  return (
    <>
      <SandboxFailure failure={failure} />
      <p>
        {t("states.then", {
          time: format.dateTime(state.clock_at),
          count: state.subscriptions,
          customers: state.customers,
        })}
      </p>
      <ul className="mt-3 list-disc space-y-1 pl-5 text-muted">
        <li>{t("states.all")}</li>
        <li>{t("states.notUnsent")}</li>
        <li>{t("states.webhooks")}</li>
        <li>{t("states.comeBack")}</li>
      </ul>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t("leaveIt")}</Button>
        <Button look="primary" isPending={isPending} onClick={() => void confirm()}>
          {t("states.restore")}
        </Button>
      </div>
    </>
  );
}

function Delete({ state, onClose }: ConfirmProps) {
  const t = useTranslations("sandbox");
  const { run, isPending, failure } = useSandboxAction(deleteStateAction);
  const confirm = async () => {
    if (await run({ id: state.id })) onClose();
  };
  return (
    <>
      <SandboxFailure failure={failure} />
      <p>{t("states.deleteText")}</p>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t("leaveIt")}</Button>
        <Button look="danger" isPending={isPending} onClick={() => void confirm()}>
          {t("states.delete")}
        </Button>
      </div>
    </>
  );
}

/** "Before a clock move"; an unknown kind is shown by its own name. */
export function stateName(t: Translate<"sandbox">, { kind, name }: SavedState): string {
  if (name !== "") return name;
  const known = STATE_KINDS.find((one) => one === kind);
  return known ? t(`states.kinds.${known}`) : kind.replaceAll("_", " ");
}

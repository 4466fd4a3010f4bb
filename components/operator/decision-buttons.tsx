"use client";

import { useTranslations } from "next-intl";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { fieldText } from "#components/forms/use-action.tsx";
import { TextArea } from "#components/ui/forms/fields.tsx";
import { decideAction } from "#lib/operator/actions.ts";

interface DecisionButtonsProps {
  account_id: number;
  name: string;
  state: string;
}

/** The decisions that the account's state allows. */
export function DecisionButtons({ account_id: account, name, state }: DecisionButtonsProps) {
  const t = useTranslations("operator.decide");
  return (
    <div className="flex flex-wrap gap-2">
      {state !== "verified" && (
        <ActionButton
          button={{ look: "primary" }}
          title={t("approveTitle", { name })}
          label={t("approve")}
          action={decideAction}
          read={() => ({ account, decision: "approve" as const })}
          doneText={t("approved")}
        >
          {() => <p>{t("approveText")}</p>}
        </ActionButton>
      )}
      {state === "submitted" && (
        <ActionButton
          noValidate
          title={t("returnTitle", { name })}
          label={t("return")}
          action={decideAction}
          read={(form) => ({
            account,
            decision: "return" as const,
            note: fieldText(form, "note"),
          })}
          doneText={t("returned")}
        >
          {(error) => <Note error={error("note")} />}
        </ActionButton>
      )}
      {state === "verified" && (
        <ActionButton
          noValidate
          button={{ className: "text-danger" }}
          look="danger"
          title={t("suspendTitle", { name })}
          label={t("suspend")}
          action={decideAction}
          read={(form) => ({
            account,
            decision: "suspend" as const,
            note: fieldText(form, "note"),
          })}
          doneText={t("suspended")}
        >
          {(error) => (
            <>
              <p>{t("suspendText")}</p>
              <Note error={error("note")} />
            </>
          )}
        </ActionButton>
      )}
    </div>
  );
}

function Note({ error }: { error: string | undefined }) {
  const t = useTranslations("operator.decide");
  return (
    <TextArea
      id="note"
      name="note"
      label={t("note")}
      hint={t("noteHint")}
      error={error}
      maxLength={2_000}
    />
  );
}

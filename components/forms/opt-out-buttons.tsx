"use client";

import { useTranslations } from "next-intl";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import type { OptOut } from "#contract/reminders.ts";
import { addOptOutAction, removeOptOutAction } from "#lib/messages/opt-outs/actions.ts";

const MAX_REASON = 200;

interface AddOptOutButtonProps {
  /** The buyer; if it is left out, the form asks for a phone number or email. */
  buyer?: { phone: string; email: string };
  onDone: () => void;
}

/** Notes that a buyer wants no reminders. */
export function AddOptOutButton({ buyer, onDone }: AddOptOutButtonProps) {
  const t = useTranslations("optOuts.add");
  const field = useTranslations("optOuts.field");
  return (
    <ActionButton
      noValidate
      title={t("title")}
      label={t("label")}
      action={useScopedAction(addOptOutAction)}
      read={(form) => ({
        phone: buyer?.phone ?? fieldText(form, "phone"),
        email: buyer?.email ?? fieldText(form, "email"),
        reason: fieldText(form, "reason"),
      })}
      onDone={(_, close) => {
        close();
        onDone();
      }}
    >
      {(error) => (
        <>
          <p className="text-pretty">{t("text")}</p>
          {!buyer && (
            <>
              <TextField
                ref={initialFocus}
                id="opt-out-phone"
                name="phone"
                type="tel"
                label={field("phone")}
                error={error("phone")}
              />
              <TextField
                id="opt-out-email"
                name="email"
                type="email"
                label={field("email")}
                error={error("email")}
              />
            </>
          )}
          <ReasonField error={error("reason")} isFirst={buyer !== undefined} />
        </>
      )}
    </ActionButton>
  );
}

/** Removes an opt-out, so that the buyer gets reminders again. */
export function RemoveOptOutButton({
  optOut: { id, phone, email },
  onDone,
}: {
  optOut: Pick<OptOut, "id" | "phone" | "email">;
  onDone: () => void;
}) {
  const t = useTranslations("optOuts.remove");
  return (
    <ActionButton
      noValidate
      button={{
        look: "quiet",
        "aria-label": t("of", { buyer: phone || email }),
        children: t("label"),
      }}
      title={t("title")}
      label={t("label")}
      action={useScopedAction(removeOptOutAction)}
      read={(form) => ({ id, reason: fieldText(form, "reason") })}
      onDone={(_, close) => {
        close();
        onDone();
      }}
    >
      {(error) => (
        <>
          <p className="text-pretty">{t("text")}</p>
          <ReasonField isFirst error={error("reason")} />
        </>
      )}
    </ActionButton>
  );
}

function ReasonField({ error, isFirst }: { error: string | undefined; isFirst: boolean }) {
  const t = useTranslations("optOuts.field");
  return (
    <TextField
      {...(isFirst && { ref: initialFocus })}
      id="opt-out-reason"
      name="reason"
      label={t("reason")}
      hint={t("reasonHint")}
      maxLength={MAX_REASON}
      error={error}
    />
  );
}

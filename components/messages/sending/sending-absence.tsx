"use client";

import { useTranslations } from "next-intl";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { useScopedAction } from "#components/forms/use-action.tsx";
import { ScopedLink, usePermission } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { MessageSquareText, Unplug } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { beginSendingAction } from "#lib/messages/sending/actions.ts";
import type { SendingAbsence } from "#lib/messages/sending/rules.ts";

const WORDS = {
  elsewhere: "elsewhere",
  can_begin: "canBegin",
  not_allowed: "notAllowed",
  not_offered: "notOffered",
} as const;

/** Why the service sends no messages for this seller, and what the member can do instead. */
export function SendingAbsencePanel({ absence }: { absence: SendingAbsence }) {
  const t = useTranslations("sending");
  const mayWrite = usePermission("connection:write");
  const words = WORDS[absence === "can_begin" && !mayWrite ? "elsewhere" : absence];
  return (
    <StatePanel
      icon={absence === "not_offered" ? Unplug : MessageSquareText}
      title={t(`${words}.title`)}
      text={t(`${words}.text`)}
      action={
        words === "canBegin" ? (
          <BeginButton />
        ) : (
          <ScopedLink href="/collection" className={buttonClass()}>
            {t("elsewhere.action")}
          </ScopedLink>
        )
      }
    />
  );
}

function BeginButton() {
  const t = useTranslations("sending.canBegin");
  return (
    <ActionButton
      title={t("action")}
      label={t("action")}
      doneText={t("done")}
      action={useScopedAction(beginSendingAction)}
      read={() => ({})}
    >
      {() => <p className="text-pretty">{t("ask")}</p>}
    </ActionButton>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ActionForm } from "#components/forms/action-dialog.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.tsx";
import { useSeller } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { MailCheck, MailX, TriangleAlert, UserPlus } from "#components/ui/icons.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { canAssign, INVITED_ROLES } from "#lib/auth/permissions.ts";
import { inviteMemberAction } from "#lib/team/actions.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { ShareButton } from "#components/ui/share-button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { readRole, RolePicker } from "./roles.tsx";

/** @param canMail whether this installation can send the link itself */
export function InviteMember({ canMail }: { canMail: boolean }) {
  const t = useTranslations("team");
  const { role: own } = useSeller();
  const roles = INVITED_ROLES.filter((role) => canAssign(own, role));
  const invite = useScopedAction(inviteMemberAction);
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<MadeInvitation | null>(null);
  const router = useRouter();

  function close() {
    setOpen(false);
    if (made) router.refresh();
    setMade(null);
  }

  return (
    <>
      <Button look="primary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <UserPlus aria-hidden className="size-4" />
        {t("invite.label")}
      </Button>
      <Dialog
        keepsWords
        title={made ? t("link.title") : t("invite.title")}
        isOpen={isOpen}
        onClose={close}
      >
        {made ? (
          <InvitationLink invitation={made} onDone={close} />
        ) : (
          <ActionForm
            noValidate
            label={t("invite.submit")}
            action={invite}
            read={(form) => {
              const for_whom = fieldText(form, "for_whom").trim();
              const role = readRole(form, roles) ?? "viewer";
              return { role, for_whom, is_mailed: canMail && for_whom.includes("@") };
            }}
            onClose={close}
            onDone={setMade}
          >
            {(error) => (
              <>
                <RolePicker roles={roles} value="support" error={error("role")} />
                <TextField
                  id="for_whom"
                  name="for_whom"
                  label={t(canMail ? "invite.emailOrName" : "invite.forWhom")}
                  isOptional
                  maxLength={254}
                  autoComplete="off"
                  hint={t(canMail ? "invite.mailHint" : "invite.hint")}
                  error={error("for_whom")}
                />
              </>
            )}
          </ActionForm>
        )}
      </Dialog>
    </>
  );
}

type MadeInvitation = Extract<
  Awaited<ReturnType<typeof inviteMemberAction>>,
  { ok: true }
>["value"];

interface InvitationLinkProps {
  invitation: MadeInvitation;
  onDone: () => void;
}

/** The link of an invitation. Shown only once, because only the link's hash is stored. */
function InvitationLink({ invitation, onDone }: InvitationLinkProps) {
  const t = useTranslations("team.link");
  const { link, for_whom, is_mailed, was_mailed } = invitation;
  return (
    <div className="grid gap-4">
      {is_mailed && was_mailed && (
        <Notice icon={MailCheck} role="status">
          {t("mailed", { name: for_whom })}
        </Notice>
      )}
      {is_mailed && !was_mailed && (
        <Notice look="warning" icon={MailX} role="alert">
          {t("notMailed")}
        </Notice>
      )}
      <p>{t("text")}</p>
      <TextField
        id="invitation-link"
        label={t("label")}
        readOnly
        value={link}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Notice look="warning" icon={TriangleAlert}>
        {t("shownOnce")}
      </Notice>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Button className="h-9" onClick={onDone}>
          {t("done")}
        </Button>
        <ShareButton text={link} />
        <CopyButton text={link} label={t("copy")} look="primary" />
      </div>
    </div>
  );
}

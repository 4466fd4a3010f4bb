"use client";

import { MailCheck, MailX, TriangleAlert, UserPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import {
  FailureNotice,
  fieldText,
  useActionForm,
  useScopedAction,
} from "#components/forms/use-action.tsx";
import { useSeller } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { canAssign, INVITED_ROLES } from "#lib/auth/permissions.ts";
import { inviteMemberAction } from "#lib/team/actions.ts";
import { CopyButton, ShareButton } from "#components/ui/copy-button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { readRole, RolePicker } from "./roles.tsx";

/** @param canMail this installation can send the link itself */
export function Invite({ canMail }: { canMail: boolean }) {
  const t = useTranslations("team");
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
          <InviteForm canMail={canMail} onMade={setMade} onClose={close} />
        )}
      </Dialog>
    </>
  );
}

interface InviteFormProps {
  canMail: boolean;
  onMade: (invitation: MadeInvitation) => void;
  onClose: () => void;
}

function InviteForm({ canMail, onMade, onClose }: InviteFormProps) {
  const t = useTranslations("team.invite");
  const dialog = useTranslations("layout.dialog");
  const { role: own } = useSeller();
  const roles = INVITED_ROLES.filter((role) => canAssign(own, role));
  const { form, isPending, failure, error } = useActionForm(
    useScopedAction(inviteMemberAction),
    {
      read: (fields) => {
        const for_whom = fieldText(fields, "for_whom").trim();
        const role = readRole(fields, roles) ?? "viewer";
        return { role, for_whom, is_mailed: canMail && for_whom.includes("@") };
      },
      onDone: (made, { for_whom, is_mailed }) => onMade({ ...made, for_whom, is_mailed }),
    },
  );

  return (
    <form {...form} noValidate>
      <FailureNotice failure={failure} />
      <div className="grid gap-4">
        <RolePicker roles={roles} value="support" error={error("role")} />
        <TextField
          id="for_whom"
          name="for_whom"
          label={canMail ? t("emailOrName") : t("forWhom")}
          isOptional
          maxLength={254}
          autoComplete="off"
          hint={canMail ? t("mailHint") : t("hint")}
          error={error("for_whom")}
        />
      </div>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{dialog("cancel")}</Button>
        <Button type="submit" look="primary" isPending={isPending}>
          {t("submit")}
        </Button>
      </div>
    </form>
  );
}

interface MadeInvitation {
  link: string;
  for_whom: string;
  is_mailed: boolean;
  was_mailed: boolean;
}

interface InvitationLinkProps {
  invitation: MadeInvitation;
  onDone: () => void;
}

/** Shown only once, because only the link's hash is stored. */
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

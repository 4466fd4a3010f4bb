import { MailCheck, MailX, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { ShareButton } from "#components/ui/share-button.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";

export interface MadeInvitation {
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
export function InvitationLink({ invitation, onDone }: InvitationLinkProps) {
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

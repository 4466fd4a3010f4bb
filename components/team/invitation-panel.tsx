import { useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { buttonClass } from "#components/ui/button-class.ts";
import { Card } from "#components/ui/card.tsx";
import { CircleCheck, MailOpen } from "#components/ui/icons.tsx";
import type { InvitedRole, Role } from "#lib/auth/permissions.ts";
import type { EndedInvitationState } from "#lib/team/rules.ts";
import { JoinButton } from "./join-button.tsx";

interface OpenInvitationProps {
  token: string;
  inviter: string;
  sellerName: string;
  role: InvitedRole;
  /** The email of the signed-in person; null before sign-in. */
  email: string | null;
}

export function OpenInvitation(props: OpenInvitationProps) {
  const { token, inviter, sellerName, role, email } = props;
  const t = useTranslations("team.invitation");
  const may = useTranslations("team")(`may.${role}`);
  return (
    <Panel title={t("join", { name: sellerName })}>
      <p className="mt-1 mb-5 text-muted">{t("text", { inviter, role, may })}</p>
      {email === null ? (
        <WaysIn path={`/invitation/${token}`} />
      ) : (
        <>
          <JoinButton token={token} label={t("joinAs", { role })} />
          <p className="mt-3 text-sm text-muted">{t("signedInAs", { email })}</p>
        </>
      )}
    </Panel>
  );
}

/** Links to sign in and to sign up; both return to the invitation afterwards. */
function WaysIn({ path }: { path: string }) {
  const t = useTranslations("team.invitation");
  const way = new URLSearchParams({ callbackUrl: path });
  return (
    <div className="grid gap-2">
      <Link prefetch={false} href={`/sign-up?${way}`} className={buttonClass("primary", "h-9")}>
        {t("createAccount")}
      </Link>
      <Link
        prefetch={false}
        href={`/sign-in?${way}`}
        className={buttonClass("secondary", "h-9")}
      >
        {t("signIn")}
      </Link>
    </div>
  );
}

interface MemberAlreadyProps {
  sellerName: string;
  role: Role;
  path: string;
}

export function AlreadyMember({ sellerName, role, path }: MemberAlreadyProps) {
  const t = useTranslations("team.invitation");
  return (
    <Panel
      icon={<CircleCheck aria-hidden className="mb-3 size-6 text-active" />}
      title={t("member")}
    >
      <p className="mt-1 mb-5 text-muted">{t("memberAs", { name: sellerName, role })}</p>
      <a href={path} className={buttonClass("primary")}>
        {t("toSubscriptions")}
      </a>
    </Panel>
  );
}

/** Explains why the link no longer works; shows no names. */
export function EndedInvitation({ state }: { state: EndedInvitationState }) {
  const t = useTranslations("team.invitation");
  return (
    <Panel
      icon={<MailOpen aria-hidden className="mb-3 size-6 text-muted" />}
      title={t(`ended.${state}`)}
    >
      <p className="mt-1 mb-5 text-muted">{t("askAgain")}</p>
      <Link prefetch={false} href="/" className={buttonClass()}>
        {t("toStart")}
      </Link>
    </Panel>
  );
}

interface PanelProps {
  title: string;
  icon?: ReactNode;
  children: ReactNode;
}

function Panel({ title, icon, children }: PanelProps) {
  return (
    <Card className="mt-6 w-full max-w-sm p-6">
      {icon}
      <h1 className="text-lg font-semibold">{title}</h1>
      {children}
    </Card>
  );
}

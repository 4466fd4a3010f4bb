import { notFound } from "next/navigation";
import { LanguageChoice } from "#components/auth/language-choice.tsx";
import { Logo } from "#components/shell/navigation/logo.tsx";
import {
  EndedInvitation,
  AlreadyMember,
  OpenInvitation,
} from "#components/team/invitation-panel.tsx";
import { findInvitation } from "#lib/auth/sign-in/invitation.ts";
import { currentSession } from "#lib/auth/guards/require-seller.ts";
import { scopePath } from "#lib/scope.ts";
import { findMembership } from "#lib/auth/sessions/session.ts";
import { database } from "#lib/db/pool.ts";
import { availableModes } from "#lib/env.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";

export const generateMetadata = pageTitle("team.invitation.title");

/** The page of an invitation, also of one that has ended. It needs no session, only the link. */
export default async function InvitationPage({
  params,
}: {
  params: Promise<{ token: string }>;
}) {
  const { token } = await params;
  const [invitation, session] = await Promise.all([
    findInvitation(database(), token),
    currentSession(),
  ]);
  if (!invitation) notFound();
  const { state, role, seller, inviter } = invitation;
  const user = session?.user;
  const membership = user && (await findMembership(database(), user.id, seller.code));
  const mode = availableModes().at(-1) ?? "test";
  const path = scopePath({ seller: seller.code, mode }, "/subscriptions");
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-12">
      <Logo />
      {membership && (
        <AlreadyMember sellerName={seller.name} role={membership.role} path={path} />
      )}
      {!membership && state === "open" && (
        <OpenInvitation
          {...{ token, inviter, role, sellerName: seller.name, email: user?.email ?? null }}
        />
      )}
      {!membership && state !== "open" && <EndedInvitation state={state} />}
      {!user && <LanguageChoice />}
    </main>
  );
}

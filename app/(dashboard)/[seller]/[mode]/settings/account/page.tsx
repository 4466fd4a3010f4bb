import { getTranslations } from "next-intl/server";
import { ActivityList, SessionList } from "#components/account/session-list.tsx";
import { IdentityCard } from "#components/account/identity-card.tsx";
import { LanguageCard, ProfileCard } from "#components/account/profile-card.tsx";
import { SecondFactorCard } from "#components/account/second-factor-card.tsx";
import { ShortcutSwitch } from "#components/keyboard/shortcut-switch.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { LeaveSeller } from "#components/team/leave-seller.tsx";
import { Card } from "#components/ui/card.tsx";
import { CircleAlert, ShieldAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { readAccount } from "#lib/account/store.ts";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";

export const generateMetadata = pageTitle("account.title");

export default async function AccountPage({ params, searchParams }: SellerPageProps) {
  const { session, seller, lacks_second_factor } = await sellerPage(params, "account:manage");
  const t = await getTranslations("account");
  const account = await readAccount(session);
  const { provider, identities, has_password: hasPassword } = account;
  const secondFactor = (
    <SecondFactorCard recoveryCodes={account.recovery_codes} hasPassword={hasPassword} />
  );
  return (
    <ClientMessages of="settings/account">
      <div className="grid max-w-3xl gap-4">
        {(await searchParams)["linked"] === "taken" && (
          <Notice look="danger" icon={CircleAlert} role="alert">
            {t("linkedElsewhere")}
          </Notice>
        )}
        {lacks_second_factor && (
          <>
            <Notice look="warning" icon={ShieldAlert} role="status">
              {t("secondFactor.demanded", { seller: seller.name })}
            </Notice>
            {secondFactor}
          </>
        )}
        <ProfileCard name={account.name} email={account.email} hasPassword={hasPassword} />
        <LanguageCard />
        <Card>
          <ShortcutSwitch />
        </Card>
        {!lacks_second_factor && secondFactor}
        {provider !== null && <IdentityCard {...{ provider, identities, hasPassword }} />}
        <SessionList sessions={account.sessions} hasPassword={hasPassword} />
        <ActivityList events={account.events} />
        <LeaveSeller />
      </div>
    </ClientMessages>
  );
}

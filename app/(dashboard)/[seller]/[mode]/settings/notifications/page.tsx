import { NoticeSettings } from "#components/notifications/settings/notice-settings.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getNoticeOptions } from "#lib/notifications/data.ts";

export const generateMetadata = pageTitle("notices.title");

export default async function NoticeSettingsPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "dashboard:open");
  return (
    <ClientMessages of="settings/notifications">
      <NoticeSettings {...await getNoticeOptions(scope)} />
    </ClientMessages>
  );
}

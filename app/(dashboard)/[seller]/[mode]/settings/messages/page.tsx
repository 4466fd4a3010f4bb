import { MessageSettings } from "#components/messages/message-form.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getReminders } from "#lib/messages/reminders/data.ts";

export const generateMetadata = pageTitle("messages.title");

export default async function MessageSettingsPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "seller:write");
  return (
    <ClientMessages of="settings/messages">
      <MessageSettings {...await getReminders(scope)} />
    </ClientMessages>
  );
}

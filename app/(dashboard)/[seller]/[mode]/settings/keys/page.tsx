import { ClientMessages } from "#components/shell/client-messages.tsx";
import { KeySettings } from "#components/keys/key-settings.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { listApiKeys } from "#lib/keys/data.ts";

export const generateMetadata = pageTitle("apiKeys.title");

export default async function KeySettingsPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "connection:read");
  return (
    <ClientMessages of="settings/keys">
      <KeySettings result={await listApiKeys(scope)} />
    </ClientMessages>
  );
}

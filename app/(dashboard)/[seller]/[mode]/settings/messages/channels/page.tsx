import { ChannelSettings } from "#components/messages/sending/channel-settings.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { listChannels } from "#lib/messages/sending/data.ts";

export const generateMetadata = pageTitle("sending.channels");

export default async function ChannelsPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "connection:read");
  return (
    <ClientMessages of="messages/channels">
      <ChannelSettings result={await listChannels(scope)} />
    </ClientMessages>
  );
}

import { OptOuts } from "#components/messages/opt-outs.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { listOptOuts } from "#lib/messages/opt-outs/data.ts";

export const generateMetadata = pageTitle("optOuts.title");

export default async function OptOutsPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "customers:read");
  return (
    <ClientMessages of="messages/optouts">
      <OptOuts result={await listOptOuts(scope)} />
    </ClientMessages>
  );
}

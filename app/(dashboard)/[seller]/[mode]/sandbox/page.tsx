import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { SandboxTools } from "#components/sandbox/sandbox-tools.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch } from "#lib/query/prefetch.ts";
import { getSandbox } from "#lib/sandbox/data.ts";
import { sandboxQuery } from "#lib/sandbox/queries.ts";

export const generateMetadata = pageTitle("sandbox.title");

export default async function SandboxPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "sandbox:read");
  const { json, failure } = await prefetch(sandboxQuery(scope), () => getSandbox(scope));
  return (
    <HydratedQueries json={json}>
      <SandboxTools failure={failure} />
    </HydratedQueries>
  );
}

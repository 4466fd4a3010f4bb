import { redirect } from "next/navigation";
import { scopePath } from "#lib/scope.ts";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";

export default async function SettingsPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "account:manage");
  redirect(scopePath(scope, "/settings/account"));
}

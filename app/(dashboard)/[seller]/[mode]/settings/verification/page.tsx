import { VerificationSettings } from "#components/verification/verification-form.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getVerification } from "#lib/verification/data.ts";

export const generateMetadata = pageTitle("verification.title");

export default async function VerificationPage({ params }: Pick<SellerPageProps, "params">) {
  const { scope } = await sellerPage(params, "connection:read");
  return <VerificationSettings result={await getVerification(scope)} />;
}

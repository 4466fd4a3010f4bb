import { TaskList } from "#components/payments/tasks/task-list.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { listPaymentTasks } from "#lib/payments/tasks/data.ts";
import { parseTaskSearch } from "#lib/payments/tasks/rules.ts";

export const generateMetadata = pageTitle("moneyToCheck.title");

export default async function MoneyToCheckPage({ params, searchParams }: SellerPageProps) {
  const { scope } = await sellerPage(params, "payments:read");
  const search = parseTaskSearch(await searchParams);
  return <TaskList {...{ scope, search }} result={await listPaymentTasks(scope, search)} />;
}

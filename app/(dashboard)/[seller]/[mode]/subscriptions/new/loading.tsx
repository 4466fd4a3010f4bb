import { useTranslations } from "next-intl";
import { PageHeader } from "#components/shell/page-header.tsx";
import { CreateSubscriptionSkeleton } from "#components/subscriptions/create/create-subscription-skeleton.tsx";

export default function NewSubscriptionLoading() {
  const t = useTranslations("create");
  return (
    <>
      <PageHeader title={t("title")} />
      <CreateSubscriptionSkeleton />
    </>
  );
}

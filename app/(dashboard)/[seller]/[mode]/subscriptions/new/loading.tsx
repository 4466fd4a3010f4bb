import { useTranslations } from "next-intl";
import { PageHeader } from "#components/layout/page-header.tsx";
import { CreateSubscriptionSkeleton } from "#components/subscriptions/create-subscription-skeleton.tsx";

export default function NewSubscriptionLoading() {
  const t = useTranslations("create");
  return (
    <>
      <PageHeader title={t("title")} />
      <CreateSubscriptionSkeleton />
    </>
  );
}

import { Inbox, ListFilter } from "lucide-react";
import { useTranslations } from "next-intl";
import { MissingPage } from "#components/list/missing-page.tsx";
import { UrlLink } from "#components/list/url-link.tsx";
import { ScopedLink } from "#components/shell/scoped-link.tsx";
import { usePermission, useScope } from "#components/shell/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { findPath, type FindSearch } from "#lib/subscriptions/list-search.ts";
import { subscriptionsPath, type SubscriptionSearch } from "#lib/subscriptions/search.ts";

export function EmptySubscriptions({ search }: { search: SubscriptionSearch }) {
  const t = useTranslations("subscriptions");
  const scope = useScope();
  const mayCreate = usePermission("subscriptions:create");
  if (search.status === null) {
    return (
      <StatePanel
        icon={Inbox}
        title={t("empty.title")}
        text={t(mayCreate ? "empty.text" : "empty.viewer")}
        action={
          mayCreate && (
            <ScopedLink href="/subscriptions/new" className={buttonClass("primary")}>
              {t("new")}
            </ScopedLink>
          )
        }
      />
    );
  }
  return (
    <StatePanel
      icon={ListFilter}
      title={t(`empty.of.${search.status}`)}
      text={t(`empty.about.${search.status}`)}
      action={
        <UrlLink
          href={subscriptionsPath(scope, { page_size: search.page_size })}
          className={buttonClass()}
        >
          {t("empty.showAll")}
        </UrlLink>
      }
    />
  );
}

export function NoSuchPage({ search }: { search: FindSearch }) {
  const firstHref = findPath(useScope(), { ...search, page: 1 });
  return <MissingPage page={search.page} firstHref={firstHref} />;
}

import { useTranslations } from "next-intl";
import { UrlLink } from "#components/list/links.tsx";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Inbox, ListFilter } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
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
            <>
              <ScopedLink href="/subscriptions/new" className={buttonClass("primary")}>
                {t("new")}
              </ScopedLink>
              <ScopedLink href="/subscriptions/import" className={buttonClass()}>
                {t("empty.import")}
              </ScopedLink>
            </>
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

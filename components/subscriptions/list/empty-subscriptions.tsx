import { Inbox, ListFilter, SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import { IndexFreshness } from "#components/list/index-notice.tsx";
import { pushUrl, UrlLink } from "#components/list/url-link.tsx";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { usePermission, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Button } from "#components/ui/button.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";
import type { SubscriptionList } from "#lib/subscriptions/queries.ts";
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

interface NoMatchProps {
  search: SubscriptionSearch;
  list: SubscriptionList;
  onClear: () => void;
}

/** A search without results. */
export function NoMatch({ search, list, onClear }: NoMatchProps) {
  const t = useTranslations("finding.found");
  const scope = useScope();
  return (
    <StatePanel
      role="status"
      icon={SearchX}
      title={t("noneTitle")}
      text={
        <>
          {t("noneText")} <IndexFreshness found={list.source} />
        </>
      }
      action={
        <Button
          onClick={() => {
            onClear();
            pushUrl(subscriptionsPath(scope, { page_size: search.page_size }));
          }}
        >
          {t("clear")}
        </Button>
      }
    />
  );
}

import { FileQuestion, Inbox, ListFilter } from "lucide-react";
import Link from "next/link";
import { UrlLink } from "#components/data-table/url-link.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { subscriptionsPath, type SubscriptionSearch } from "#lib/subscriptions/search.ts";
import { statusLabel } from "./subscription-status-badge.tsx";

export function EmptySubscriptions({ search }: { search: SubscriptionSearch }) {
  if (search.status === null) {
    return (
      <StatePanel
        icon={Inbox}
        title="No subscriptions yet"
        text="Create one for a buyer, then send them its checkout link."
        action={
          <Link href="/subscriptions/new" className={buttonClass("primary")}>
            New subscription
          </Link>
        }
      />
    );
  }
  return (
    <StatePanel
      icon={ListFilter}
      title={`Nothing is ${statusLabel(search.status).toLowerCase()}`}
      text="No subscription has this status at the moment."
      action={
        <UrlLink
          href={subscriptionsPath({ page_size: search.page_size })}
          className={buttonClass()}
        >
          Show all
        </UrlLink>
      }
    />
  );
}

export function NoSuchPage({ search }: { search: SubscriptionSearch }) {
  return (
    <StatePanel
      icon={FileQuestion}
      title={`There is no page ${search.page}`}
      text="The list is shorter than that; it may have changed since the link was made."
      action={
        <UrlLink href={subscriptionsPath({ ...search, page: 1 })} className={buttonClass()}>
          Go to page 1
        </UrlLink>
      }
    />
  );
}

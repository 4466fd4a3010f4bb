"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import {
  DayRangeFields,
  FilterForm,
  FilterSelect,
  SubscriptionField,
} from "#components/list/filters/filter-form.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { EVENT_KINDS } from "#contract/names.ts";
import {
  deliveriesPath,
  parseDeliverySearch,
  type DeliverySearch,
} from "#lib/deliveries/search.ts";
import { webhooksQuery } from "#lib/webhooks/queries.ts";

export function DeliveryFilterBar({ search }: { search: DeliverySearch }) {
  const t = useTranslations("deliveries");
  const scope = useScope();
  const { event, webhook, subscription, from, to } = search;
  return (
    <FilterForm
      label={t("title")}
      action={deliveriesPath(scope)}
      pathFor={(form) =>
        deliveriesPath(scope, { ...parseDeliverySearch(form), state: search.state })
      }
      active={[event, webhook, subscription, from, to].filter(Boolean).length}
      className="lg:grid-cols-[1.2fr_1.4fr_1.4fr_1fr_1fr_auto]"
    >
      {search.state && <input type="hidden" name="state" value={search.state} />}
      <FilterSelect
        form="delivery"
        name="event"
        label={t("filter.event")}
        all={t("filter.everyEvent")}
        value={event}
        options={EVENT_KINDS.map((kind) => [kind, kind])}
      />
      <WebhookSelect webhook={webhook} />
      <SubscriptionField form="delivery" value={subscription} className="max-lg:col-span-2" />
      <DayRangeFields form="delivery" from={from} to={to} />
    </FilterForm>
  );
}

/** A choice of one webhook: a URL can have several, each with its own deliveries. */
function WebhookSelect({ webhook }: { webhook: number | null }) {
  const t = useTranslations("deliveries");
  const { data } = useQuery(webhooksQuery(useScope()));
  const known = data?.webhooks ?? [];
  const isMissing = webhook !== null && !known.some(({ id }) => id === webhook);
  return (
    <FilterSelect
      // Remounts when the list arrives: a select drops a value without an option.
      key={known.length}
      form="delivery"
      name="webhook"
      label={t("filter.registration")}
      all={t("filter.everyRegistration")}
      value={webhook}
      options={[
        ...(isMissing ? [[webhook, String(webhook)] as const] : []),
        ...known.map(
          ({ id, event, endpoint_url }) => [id, `${id} · ${event} · ${endpoint_url}`] as const,
        ),
      ]}
    />
  );
}

import { Inbox, SearchX, Unplug } from "lucide-react";
import { useTranslations } from "next-intl";
import { UrlLink } from "#components/list/url-link.tsx";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { deliveriesPath, isWholeList, type DeliverySearch } from "#lib/deliveries/search.ts";

export function NoDeliveries({ search }: { search: DeliverySearch }) {
  const t = useTranslations("deliveries");
  const scope = useScope();
  if (isWholeList(search))
    return (
      <StatePanel
        icon={Inbox}
        title={t("empty.title")}
        text={t("empty.text")}
        action={<EndpointsLink />}
      />
    );
  return (
    <StatePanel
      icon={SearchX}
      title={t("none.title")}
      text={t("none.text")}
      action={
        <UrlLink href={deliveriesPath(scope)} className={buttonClass()}>
          {t("none.showAll")}
        </UrlLink>
      }
    />
  );
}

export function DeliveriesNotOffered() {
  const t = useTranslations("deliveries");
  const { mode } = useScope();
  return (
    <StatePanel
      icon={Unplug}
      title={t("notOffered.title")}
      text={t(mode === "live" ? "notOffered.live" : "notOffered.test")}
      action={<EndpointsLink />}
    />
  );
}

function EndpointsLink() {
  const t = useTranslations("deliveries");
  return (
    <ScopedLink href="/settings/webhooks" className={buttonClass()}>
      {t("empty.endpoints")}
    </ScopedLink>
  );
}

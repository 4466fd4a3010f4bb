"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useParams } from "next/navigation";
import { ScopedLink, useFormat, useScope } from "#components/context/seller-context.tsx";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import { FailureNotice } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { CirclePause, Link2, TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { SharedLink, SharedLinkList } from "#contract/products.ts";
import { failureOf } from "#lib/failure.ts";
import { calculatePrice } from "#lib/money/price.ts";
import {
  editedProductQuery,
  sharedLinksQuery,
  type EditedProduct,
} from "#lib/products/queries.ts";
import { intervalWords, isOnSale } from "#lib/products/rules.ts";
import {
  EmbedButton,
  PosterButton,
  RenewButton,
  useSharedLinkChange,
  type SharedPeriod,
} from "./shared-link-dialogs.tsx";

/** The addresses at which new buyers order the product's billing periods by themselves. */
export function SharedLinksCard() {
  const t = useTranslations("products.shared");
  const { id } = useParams<{ id: string }>();
  const scope = useScope();
  const product = useQuery(editedProductQuery(scope, id));
  const links = useQuery(sharedLinksQuery(scope, id));
  const failed = links.error && !links.data ? links : product.error && !product.data && product;
  return (
    <Card aria-labelledby="shared-links" className="mt-4">
      <div className="border-b px-4 py-3 sm:px-5">
        <CardTitle id="shared-links">{t("title")}</CardTitle>
        <p className="text-sm text-muted">{t("text")}</p>
      </div>
      {failed ? (
        <div className="p-4 sm:px-5">
          <FailureLine failure={failureOf(failed.error)} query={failed} />
        </div>
      ) : product.data && links.data ? (
        <Links edited={product.data} list={links.data.offered} />
      ) : (
        <div aria-busy className="p-4 sm:px-5">
          <span className="skeleton h-10" />
        </div>
      )}
    </Card>
  );
}

function Links({ edited, list }: { edited: EditedProduct; list: SharedLinkList | null }) {
  const t = useTranslations("products.shared");
  const periods = useSharedPeriods(edited);
  if (list === null || periods.length === 0)
    return (
      <p className="p-4 text-muted sm:px-5">{t(list === null ? "notOffered" : "nothing")}</p>
    );
  return (
    <>
      {list.problem !== null && <Problem problem={list.problem} />}
      <ul className="divide-y">
        {periods.map((period) => (
          <LinkRow
            key={period.pbp_id}
            period={period}
            link={list.results.find(({ pbp_id }) => pbp_id === period.pbp_id)}
            color={edited.look.checkout_color}
          />
        ))}
      </ul>
    </>
  );
}

function Problem({ problem }: { problem: string }) {
  const t = useTranslations("products");
  const known = problem as "no_codes";
  return (
    <Notice icon={TriangleAlert} look="warning" className="m-4">
      {t.has(`shared.problem.${known}`)
        ? t(`shared.problem.${known}`)
        : t("shared.problem.other", { problem })}
    </Notice>
  );
}

function useSharedPeriods({ product, today }: EditedProduct): SharedPeriod[] {
  const format = useTranslations("format");
  return product.plan.flatMap(({ plan_name, billing_periods }) =>
    billing_periods
      .filter((period) => isOnSale(product, period))
      .map((period) => ({
        pbp_id: period.pbp_id,
        product: product.name,
        label: period.label || intervalWords(format, period),
        plan: plan_name,
        currency: period.currency,
        total: calculatePrice(period, product.vat, today)?.total ?? period.price,
      })),
  );
}

interface LinkRowProps {
  period: SharedPeriod;
  link: SharedLink | undefined;
  /** The colour of the business at its checkout; null for the default. */
  color: string | null;
}

function LinkRow({ period, link, color }: LinkRowProps) {
  const t = useTranslations("products.shared");
  const { money } = useFormat();
  const name = [period.plan, period.label].filter(Boolean).join(" · ");
  return (
    <li className="grid gap-3 p-4 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p>
            <span className="font-medium">{name}</span>{" "}
            <span className="text-muted tabular-nums">
              {money(period.total, period.currency)}
            </span>
          </p>
          <p className="text-sm text-muted">
            {link
              ? [
                  !link.is_active && t("paused"),
                  t("counts", { subscriptions: link.subscriptions, paid: link.paid }),
                ]
                  .filter(Boolean)
                  .join(" · ")
              : t("off")}
          </p>
        </div>
        {link?.is_active !== true && (
          <ChangeButton
            pbpId={period.pbp_id}
            change="open"
            label={t("open")}
            what={t("openOf", { name })}
          />
        )}
      </div>
      {link && link.newest.length > 0 && <NewestOrders link={link} />}
      {link?.is_active && (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <input
              readOnly
              aria-label={t("address", { name })}
              value={link.address}
              onFocus={(event) => event.target.select()}
              className="input min-w-0 flex-[1_1_18rem] font-mono text-sm max-md:text-lg"
            />
            <CopyButton text={link.address} label={t("copy")} />
          </div>
          <div className="flex flex-wrap gap-2">
            <PosterButton {...{ period, name }} address={link.address} />
            <EmbedButton {...{ period, name, color }} address={link.address} />
            <RenewButton {...{ name }} pbpId={period.pbp_id} />
            <ChangeButton
              pbpId={period.pbp_id}
              change="pause"
              label={t("pause")}
              what={t("pauseOf", { name })}
            />
          </div>
        </>
      )}
    </li>
  );
}

function NewestOrders({ link }: { link: SharedLink }) {
  const t = useTranslations("products.shared");
  const { dateTime } = useFormat();
  return (
    <Disclosure title={t("newest")}>
      <ul className="mt-2 divide-y rounded border">
        {link.newest.map(({ subscription_id, full_name, ordered_at, is_paid }) => (
          <li
            key={subscription_id}
            className="flex flex-wrap items-baseline gap-x-3 px-3 py-2 max-md:min-h-11"
          >
            <ScopedLink
              href={`/subscriptions/${encodeURIComponent(subscription_id)}`}
              prefetch={false}
              className="link wrap-anywhere"
            >
              {full_name}
            </ScopedLink>
            <span className="text-sm text-muted">
              {[dateTime(ordered_at), t(is_paid ? "paid" : "notPaid")].join(" · ")}
            </span>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

interface ChangeButtonProps {
  pbpId: string;
  change: "open" | "pause";
  label: string;
  /** The label with the period that it is about, for screen readers. */
  what: string;
}

function ChangeButton({ pbpId, change: to, label, what }: ChangeButtonProps) {
  const { change, isPending, failure } = useSharedLinkChange(pbpId);
  const Icon = to === "open" ? Link2 : CirclePause;
  return (
    <div className="grid gap-2">
      <Button aria-label={what} isPending={isPending} onClick={() => void change(to)}>
        <Icon aria-hidden className="size-4" />
        {label}
      </Button>
      <FailureNotice failure={failure} />
    </div>
  );
}

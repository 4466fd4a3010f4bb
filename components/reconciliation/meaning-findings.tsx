import { useTranslations } from "next-intl";
import Link from "next/link";
import { useScope } from "#components/shell/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { OddPrice, Report } from "#lib/search-index/compare/queries.ts";
import { subscriptionsPath } from "#lib/subscriptions/search.ts";
import { Named, RecordLink } from "./named.tsx";

type Meaning = Required<Pick<Report, "doubles" | "prices" | "strays">>;

function PriceInWords({ price: one }: { price: OddPrice }) {
  const t = useTranslations("reconciliation.meaning.prices");
  const format = useFormat();
  const plan = [one.product_name, one.plan_name, one.label].filter(Boolean).join(" · ");
  const price = format.money(one.price, one.currency);
  if (one.listed_price === null) return t("gone", { plan, price });
  const listed = format.money(one.listed_price, one.listed_currency ?? one.currency);
  return t("other", { plan, price, listed });
}

/** What is the same on both sides, and should all the same be looked at. */
export function MeaningFindings({ doubles, prices, strays }: Meaning) {
  const t = useTranslations("reconciliation.meaning");
  const scope = useScope();
  const format = useFormat();
  const counted = (count: number) => ({ count, number: format.count(count) });
  return (
    <Card className="p-4 sm:p-5">
      <CardTitle>{t("title")}</CardTitle>
      <p className="mt-1 mb-3 text-muted">{t("text")}</p>
      <Named
        found={doubles}
        none={t("doubles.none")}
        text={t("doubles.text", counted(doubles.count))}
        keyOf={(one) => one.due_id + one.pending_id}
      >
        {(one) =>
          t.rich("doubles.row", {
            buyer: one.full_name || one.phone,
            plan: [one.product_name, one.plan_name].filter(Boolean).join(" · "),
            due: (words) => <RecordLink id={one.due_id}>{words}</RecordLink>,
            pending: (words) => <RecordLink id={one.pending_id}>{words}</RecordLink>,
          })
        }
      </Named>
      <Named
        found={prices}
        none={t("prices.none")}
        text={t("prices.text", counted(prices.count))}
        keyOf={(one) => JSON.stringify(one)}
      >
        {(one) => (
          <>
            <PriceInWords price={one} />{" "}
            <Link
              href={subscriptionsPath(scope, {
                product: one.product_id,
                plan: one.plan_name || null,
                price_from: one.price || null,
                price_to: one.price || null,
              })}
              className="text-accent underline"
            >
              {t("prices.open", counted(one.subscriptions))}
            </Link>
          </>
        )}
      </Named>
      <Named
        found={strays}
        none={t("strays.none")}
        text={t("strays.text", counted(strays.count))}
        keyOf={(one) => one.subscription_id}
      >
        {(one) => (
          <>
            <RecordLink id={one.subscription_id}>{one.full_name}</RecordLink>{" "}
            <span className="text-muted tabular-nums">{one.phone}</span>
          </>
        )}
      </Named>
    </Card>
  );
}

import { useTranslations } from "next-intl";
import { isOfferActive } from "#contract/amount.ts";
import type { Offer } from "#contract/products.ts";
import { Day } from "#components/values/day.tsx";
import { useFormat } from "#components/values/use-format.ts";

interface PeriodOffersProps {
  offers: Offer[];
  currency: string;
  today: string;
}

/** Offers with their dates and today's state. */
export function PeriodOffers({ offers, currency, today }: PeriodOffersProps) {
  const t = useTranslations("products.offers");
  const format = useFormat();
  if (offers.length === 0) return <p className="text-sm text-muted">{t("none")}</p>;
  return (
    <ul aria-label={t("label")} className="grid content-start gap-1 text-sm">
      {offers.map((offer) => (
        <li key={offer.id} className="flex justify-between gap-3">
          <span>
            {t.rich("offer", {
              amount: format.money(String(offer.discount_amount), currency),
              strong: (chunks) => <span className="tabular-nums">{chunks}</span>,
              from: () => <Day iso={offer.starts_at} />,
              until: () => <Day iso={offer.valid_until} />,
            })}
          </span>
          <span className={isOfferActive(offer, today) ? "text-active" : "text-muted"}>
            {t(offerStatus(offer, today))}
          </span>
        </li>
      ))}
    </ul>
  );
}

function offerStatus(offer: Offer, today: string) {
  if (isOfferActive(offer, today)) return "holds";
  if (!offer.is_active) return "off";
  if (today < offer.starts_at) return "notBegun";
  return today > offer.valid_until ? "over" : "unclear";
}

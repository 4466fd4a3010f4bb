"use client";

import { useTranslations } from "next-intl";
import { useFormat } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { Plus, Trash2 } from "#components/ui/icons.tsx";
import { INTERVAL_TYPES } from "#contract/names.ts";
import { isSameDecimal } from "#lib/format/decimal.ts";
import {
  amountProblem,
  emptyOffer,
  isSameOffers,
  type OfferDraft,
  type PeriodDraft,
} from "#lib/products/draft.ts";
import { intervalWords } from "#lib/products/rules.ts";

export interface SavedPeriod {
  period: PeriodDraft;
  subscribers: number;
}

interface PeriodFieldsProps {
  /** The place in the form's values, such as "plans.0.periods.0". */
  path: string;
  period: PeriodDraft;
  today: string;
  onChange: (period: PeriodDraft) => void;
  errorOf: (path: string) => string | undefined;
  before?: SavedPeriod | undefined;
  /** Whether name and offers are left out. */
  isSimple?: boolean;
  /** The name that buyers see if none is given. */
  defaultName?: string;
}

export function PeriodFields(props: PeriodFieldsProps) {
  const { path, period, today, onChange, errorOf, isSimple = false, defaultName } = props;
  const t = useTranslations("products.form");
  const field = (name: keyof PeriodDraft) => ({
    id: `${path}.${name}`,
    error: errorOf(`${path}.${name}`),
  });
  return (
    <div className="grid gap-4">
      {!isSimple && (
        <TextField
          {...field("label")}
          label={t("period.label")}
          placeholder={defaultName}
          value={period.label}
          onChange={({ target }) => onChange({ ...period, label: target.value })}
          maxLength={200}
          autoComplete="off"
        />
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          {...field("price")}
          label={t("price.label", { currency: period.currency })}
          inputMode="decimal"
          placeholder={t("price.sample")}
          value={period.price}
          onChange={({ target }) => onChange({ ...period, price: target.value })}
          required
          autoComplete="off"
        />
        {period.pbp_id === null ? (
          <IntervalFields {...{ period, onChange, field }} />
        ) : (
          <SavedInterval period={period} />
        )}
      </div>
      {props.before && <PriceChange before={props.before} period={period} />}
      {!isSimple && <OfferFields {...{ path, period, today, onChange, errorOf }} />}
    </div>
  );
}

/** Explains what a changed price means for subscribers at the old one. */
function PriceChange({ before, period }: { before: SavedPeriod; period: PeriodDraft }) {
  const t = useTranslations("products.form.change");
  const { money } = useFormat();
  const { subscribers: count } = before;
  const isValid = amountProblem(period.price) === null;
  const isRepriced = isValid && !isSameDecimal(period.price.trim(), before.period.price);
  const hasOtherOffers = !isSameOffers(before.period.offers, period.offers);
  const prices = {
    before: money(before.period.price, period.currency),
    after: isValid ? money(period.price.trim(), period.currency) : "",
  };
  return (
    <p role="status" className="-mt-2 text-sm text-ending empty:sr-only">
      {isRepriced
        ? t("price", { count, ...prices })
        : hasOtherOffers && count > 0 && t("offers", { count })}
    </p>
  );
}

function SavedInterval({ period }: { period: PeriodDraft }) {
  const t = useTranslations("products.form.interval");
  const format = useTranslations("format");
  const { interval_type } = period;
  return (
    <div>
      <p className="field-label">{t("label")}</p>
      <p className="flex min-h-9 items-center">
        {intervalWords(format, {
          interval_type,
          interval_count: Number(period.interval_count),
        })}
      </p>
      <p className="mt-1 text-xs text-muted">{t("stays")}</p>
    </div>
  );
}

interface IntervalFieldsProps {
  period: PeriodDraft;
  onChange: (period: PeriodDraft) => void;
  field: (name: keyof PeriodDraft) => { id: string; error: string | undefined };
}

function IntervalFields({ period, onChange, field }: IntervalFieldsProps) {
  const t = useTranslations("products.form.interval");
  const type = period.interval_type;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_7rem] items-start gap-3">
      <SelectField
        {...field("interval_type")}
        label={t("label")}
        value={type}
        onChange={({ target }) =>
          onChange({
            ...period,
            interval_type: INTERVAL_TYPES.find((known) => known === target.value) ?? type,
          })
        }
        options={SHOWN_TYPES.map((known) => [known, t(`types.${known}`)])}
      />
      {type !== "one_time" && (
        <TextField
          {...field("interval_count")}
          label={t(`counts.${type}`)}
          inputMode="numeric"
          value={period.interval_count}
          onChange={({ target }) => onChange({ ...period, interval_count: target.value })}
          autoComplete="off"
        />
      )}
    </div>
  );
}

/** The most common ones first. */
const SHOWN_TYPES = ["month", "year", "week", "day", "one_time"] as const;

interface OfferFieldsProps extends Omit<
  PeriodFieldsProps,
  "isSimple" | "defaultName" | "before"
> {}

function OfferFields({ path, period, today, onChange, errorOf }: OfferFieldsProps) {
  const t = useTranslations("products.form.offer");
  const { offers } = period;
  const setOffers = (next: OfferDraft[]) => onChange({ ...period, offers: next });
  return (
    <fieldset className="grid gap-3">
      <legend className="field-label">{t("title")}</legend>
      {offers.map((offer, at) => {
        const field = (name: keyof OfferDraft) => ({
          id: `${path}.offers.${at}.${name}`,
          error: errorOf(`${path}.offers.${at}.${name}`),
          value: offer[name],
          onChange: ({ target }: { target: { value: string } }) =>
            setOffers(offers.with(at, { ...offer, [name]: target.value })),
        });
        return (
          <div
            key={offer.key}
            className="grid items-start gap-3 rounded border p-3 sm:grid-cols-[1fr_1fr_1fr_auto] sm:border-0 sm:p-0"
          >
            <TextField
              {...field("discount_amount")}
              label={t("discount", { currency: period.currency })}
              inputMode="decimal"
              autoComplete="off"
            />
            <TextField {...field("starts_at")} label={t("from")} type="date" />
            <TextField {...field("valid_until")} label={t("to")} type="date" />
            <Button
              look="quiet"
              aria-label={t("remove", { at: at + 1 })}
              title={t("remove", { at: at + 1 })}
              onClick={() => setOffers(offers.toSpliced(at, 1))}
              className="sm:mt-6"
            >
              <Trash2 aria-hidden className="size-4" />
            </Button>
          </div>
        );
      })}
      <div>
        <Button look="quiet" onClick={() => setOffers([...offers, emptyOffer(today)])}>
          <Plus aria-hidden className="size-4" />
          {t("add")}
        </Button>
        {offers.length > 0 && <p className="mt-1 text-xs text-muted">{t("hint")}</p>}
      </div>
    </fieldset>
  );
}

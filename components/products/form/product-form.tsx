"use client";

import { useTranslations } from "next-intl";
import { useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { ImageField } from "#components/forms/image-field.tsx";
import { DraftNotice } from "#components/forms/draft-notice.tsx";
import {
  FailureNotice,
  useActionForm,
  useScopedAction,
  type ActionResult,
} from "#components/forms/use-action.tsx";
import { Button, SubmitButton } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { SelectField, TextArea, TextField } from "#components/ui/forms/fields.tsx";
import { Plus, SlidersHorizontal } from "#components/ui/icons.tsx";
import type { Failure } from "#lib/failure.ts";
import type { CheckoutLook } from "#lib/format/checkout-look.ts";
import {
  emptyPlan,
  isSameVat,
  MOST_IMAGES,
  VAT_CHOICES,
  type ProductDraft,
  type SavedProduct,
} from "#lib/products/draft.ts";
import type { Scope } from "#lib/scope.ts";
import { CheckoutPreview } from "./checkout-preview.tsx";
import { useFillNames } from "./default-names.ts";
import { PlanFields } from "./plan-fields.tsx";
import { PeriodFields } from "./period-fields.tsx";
import { useProductDraft } from "./use-product-draft.ts";

interface ProductFormProps<Value> {
  initial: ProductDraft;
  /** Identifies the draft that this tab keeps: of which product, and of which version. */
  about: { product: string; version: string };
  /** The seller's day by the service's clock, YYYY-MM-DD. */
  today: string;
  /** The look of the seller's checkout; null if unknown. */
  look: CheckoutLook | null;
  save: (scope: Scope, product: ProductDraft) => Promise<ActionResult<Value>>;
  onSaved: (value: Value) => void;
  submitLabel: string;
  /** Facts about a saved product that the form does not edit. */
  saved?: SavedProduct;
  /** Content above the form. */
  notice?: ReactNode;
  /** Renders a failure that has another meaning here than elsewhere; null for any other failure. */
  renderFailure?: (failure: Failure) => ReactNode;
}

/** The form of a product. A new one begins with a few fields and a button that shows the others. */
export function ProductForm<Value>(props: ProductFormProps<Value>) {
  const { initial, about, today, look, save, onSaved, submitLabel, notice, renderFailure } =
    props;
  const saved = props.saved && { ...props.saved, draft: initial };
  const t = useTranslations("products.form");
  const complete = useFillNames();
  const { draft, change, kept, forget } = useProductDraft(initial, about);
  const [sent, setSent] = useState(draft);
  const [isUploading, setUploading] = useState(false);
  const [isExpanded, setExpanded] = useState(false);
  const firstPlan = useRef<HTMLInputElement>(null);
  const { form, isPending, failure, error } = useActionForm(useScopedAction(save), {
    read: () => {
      setSent(draft);
      return complete(draft);
    },
    onDone: (value) => {
      forget();
      onSaved(value);
    },
  });
  const only = isExpanded ? null : onlyPeriodOf(draft);
  // An error is gone once its field is changed.
  const errorOf = (path: string) =>
    valueAt(draft, path) === valueAt(sent, path) ? error(`product.${path}`) : undefined;

  return (
    <form
      {...form}
      noValidate
      className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]"
    >
      <div className="grid min-w-0 gap-4">
        {(failure && renderFailure?.(failure)) ||
          notice ||
          (failure && (
            <div className="-mb-4">
              <FailureNotice failure={failure} />
            </div>
          ))}
        <DraftNotice {...kept} />
        <Card className="grid gap-4 p-4 sm:p-5">
          <TextField
            id="name"
            label={t("name.label")}
            placeholder={t("name.sample")}
            value={draft.name}
            onChange={({ target }) => change({ ...draft, name: target.value })}
            maxLength={200}
            required
            autoComplete="off"
            error={errorOf("name")}
          />
          {only && (
            <PeriodFields
              {...{ today, errorOf }}
              path="plans.0.periods.0"
              period={only}
              onChange={(period) =>
                change({
                  ...draft,
                  plans: draft.plans.map((plan) => ({ ...plan, periods: [period] })),
                })
              }
              isSimple
            />
          )}
          <VatFields {...{ draft, change, errorOf, saved }} />
          <TextArea
            id="description"
            label={t("description.label")}
            hint={t("description.hint")}
            value={draft.description}
            onChange={({ target }) => change({ ...draft, description: target.value })}
            rows={3}
            className="min-h-20"
            error={errorOf("description")}
          />
          <ImageField
            label={t("images.label")}
            hint={t("images.hint")}
            images={draft.images}
            most={MOST_IMAGES}
            onChange={(images) => change({ ...draft, images })}
            onBusy={setUploading}
            error={errorOf("images")}
          />
          {only && (
            <div>
              <Button
                onClick={() => {
                  flushSync(() => setExpanded(true));
                  firstPlan.current?.focus();
                }}
              >
                <SlidersHorizontal aria-hidden className="size-4" />
                {t("more")}
              </Button>
              <p className="mt-1 text-xs text-muted">{t("moreHint")}</p>
            </div>
          )}
        </Card>
        {!only && (
          <>
            {draft.plans.map((plan, at) => (
              <PlanFields
                key={plan.key}
                {...{ draft, change, plan, at, today, errorOf, saved }}
                nameRef={at === 0 ? firstPlan : undefined}
              />
            ))}
            <div>
              <Button
                onClick={() =>
                  change({ ...draft, plans: [...draft.plans, emptyPlan(currencyOf(draft))] })
                }
              >
                <Plus aria-hidden className="size-4" />
                {t("plan.add")}
              </Button>
            </div>
            <TextFields {...{ draft, change, errorOf }} />
          </>
        )}
      </div>
      <div className="grid gap-4 lg:sticky lg:top-20 low:static!">
        <CheckoutPreview draft={complete(draft)} today={today} look={look} />
        <SubmitButton isPending={isPending} disabled={isUploading} className="h-9 w-full">
          {submitLabel}
        </SubmitButton>
      </div>
    </form>
  );
}

interface PartProps {
  draft: ProductDraft;
  change: (draft: ProductDraft) => void;
  errorOf: (path: string) => string | undefined;
}

interface VatFieldsProps extends PartProps {
  saved: (SavedProduct & { draft: ProductDraft }) | undefined;
}

function VatFields({ draft, change, errorOf, saved }: VatFieldsProps) {
  const t = useTranslations("products.form.vat");
  const percentage = Number(draft.vat_percentage) || 0;
  const keeping = saved && !isSameVat(saved.draft, draft) ? subscribersOnSale(saved) : 0;
  return (
    <div className="grid gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,1fr)_8rem]">
      <SelectField
        id="vat"
        label={t("label")}
        value={draft.vat}
        onChange={({ target }) =>
          change({
            ...draft,
            vat: VAT_CHOICES.find((choice) => choice === target.value) ?? "none",
          })
        }
        error={errorOf("vat")}
        options={VAT_CHOICES.map((choice) => [choice, t(choice, { percentage })])}
      />
      {draft.vat !== "none" && (
        <TextField
          id="vat_percentage"
          label={t("rate")}
          inputMode="decimal"
          value={draft.vat_percentage}
          onChange={({ target }) => change({ ...draft, vat_percentage: target.value })}
          autoComplete="off"
          error={errorOf("vat_percentage")}
        />
      )}
      <p role="status" className="text-sm text-ending empty:sr-only sm:col-span-2">
        {keeping > 0 && t("keeping", { count: keeping })}
      </p>
    </div>
  );
}

function TextFields({ draft, change, errorOf }: PartProps) {
  const t = useTranslations("products");
  return (
    <Card className="grid gap-4 p-4 sm:p-5">
      <CardTitle>{t("form.texts")}</CardTitle>
      <TextArea
        id="features_and_benefits"
        label={t("details.features")}
        value={draft.features_and_benefits}
        onChange={({ target }) => change({ ...draft, features_and_benefits: target.value })}
        error={errorOf("features_and_benefits")}
      />
      <TextArea
        id="terms_and_conditions"
        label={t("details.terms")}
        value={draft.terms_and_conditions}
        onChange={({ target }) => change({ ...draft, terms_and_conditions: target.value })}
        error={errorOf("terms_and_conditions")}
      />
    </Card>
  );
}

const subscribersOnSale = ({ draft, subscribers }: SavedProduct & { draft: ProductDraft }) =>
  draft.plans
    .flatMap(({ periods }) => periods)
    .filter(({ is_archived }) => !is_archived)
    .reduce((sum, { pbp_id }) => sum + (subscribers.get(pbp_id ?? "") ?? 0), 0);

/** The value at a path such as "plans.0.periods.1.price". */
const valueAt = (draft: ProductDraft, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null
          ? (value as Record<string, unknown>)[key]
          : undefined,
      draft,
    );

const currencyOf = (draft: ProductDraft) =>
  draft.plans.flatMap(({ periods }) => periods).at(0)?.currency ?? "";

/**
 * The period of a new product with no value in the fields that are hidden at first; null for any other.
 */
function onlyPeriodOf({ plans, ...draft }: ProductDraft) {
  const [plan, ...otherPlans] = plans;
  const [period, ...others] = plan?.periods ?? [];
  const isPlain =
    plan?.plan_id === null &&
    plan.plan_name + plan.description === "" &&
    draft.features_and_benefits + draft.terms_and_conditions === "" &&
    period?.label === "" &&
    period.offers.length === 0;
  return isPlain && otherPlans.length + others.length === 0 ? period : null;
}

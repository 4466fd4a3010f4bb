"use client";

import { useTranslations } from "next-intl";
import {
  FormProvider,
  type Resolver,
  useController,
  useForm,
  type UseFormReturn,
  useWatch,
} from "react-hook-form";
import { useEffect } from "react";
import { PackageX, RotateCcw, TriangleAlert } from "#components/ui/icons.tsx";
import type { CreateSubscription, Subscription } from "#contract/subscriptions.ts";
import { DraftNotice } from "#components/forms/draft-notice.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { ProductCatalogue } from "#lib/products/queries.ts";
import {
  type PeriodWithProduct,
  findPeriodWithProduct,
  intervalWords,
} from "#lib/products/rules.ts";
import { useFormat } from "#components/context/seller-context.tsx";
import { AmountLine } from "#components/ui/detail-row.tsx";
import { calculatePrice } from "#lib/money/price.ts";
import { BillingFields, ShippingFields } from "./folded-fields.tsx";
import { BuyerFields } from "./buyer-fields.tsx";
import { clientAgain } from "./known-details.ts";
import type { CreateSubscriptionValues } from "./create-subscription-values.ts";
import { useTranslateFieldError } from "./form-text-field.tsx";
import { FormProblems } from "./form-problems.tsx";
import { PeriodPicker } from "./period-picker.tsx";
import { ReturnUrlField } from "./return-url-field.tsx";
import { useCreateDraft } from "./use-create-draft.tsx";
import { useCreateSubscription } from "./use-create-subscription.ts";

export interface CreateSubscriptionFormProps {
  catalogue: ProductCatalogue;
  /** The pbp_id in the link that opened the page; empty for none. */
  pbpId: string;
  customerId: string;
  /** The ended subscription that is started again; empty for none. */
  endedId: string;
  /** The record of that subscription; null without one. */
  ended: Subscription | null;
  /** The return URL in the settings; empty for none. */
  returnUrl: string;
  /** Duebook's own page for returning buyers, for sellers without one. */
  ownPage: string;
  person: string;
}

export function CreateSubscriptionForm(props: CreateSubscriptionFormProps) {
  const { catalogue, pbpId, customerId, endedId, ended, returnUrl, ownPage, person } = props;
  const t = useTranslations("create");
  const { products, is_complete, today } = catalogue;
  const wanted = ended?.product.pbp_id ?? pbpId;
  const isKnown = findPeriodWithProduct(products, wanted) !== null;
  const form = useForm<CreateSubscriptionValues, unknown, CreateSubscription>({
    resolver: useLateCheck(),
    defaultValues: {
      pbp_id: isKnown ? wanted : "",
      return_url: returnUrl || ownPage,
      ...(ended && { client: clientAgain(ended.client) }),
    },
    mode: "onTouched",
    // The summary of the problems takes the focus and links to each field.
    shouldFocusError: false,
  });
  const draft = useCreateDraft(form, {
    person,
    link: pbpId || customerId || endedId,
    isOffered: (pbp_id) => findPeriodWithProduct(products, pbp_id) !== null,
  });
  const { submit, isPending, refusal } = useCreateSubscription(form, draft.forget);

  return (
    <FormProvider {...form}>
      {/* POST keeps the fields out of the URL if the script has not loaded. */}
      <form
        method="post"
        noValidate
        onInput={draft.begin}
        onSubmit={submit}
        className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]"
      >
        <div className="grid gap-6">
          <FormProblems refusal={refusal} />
          <DraftNotice
            draft={draft.draft}
            onRestore={draft.restore}
            onDiscard={draft.discard}
          />
          {endedId !== "" && <StartsAgain ended={ended} isOnSale={isKnown} />}
          {pbpId && !isKnown && <NotOnSale pbpId={pbpId} isComplete={is_complete} />}
          <Card className="grid gap-4 p-4 sm:p-5">
            <CardTitle>{t("what.title")}</CardTitle>
            <PeriodField form={form} products={products} today={today} had={ended?.product} />
            {!is_complete && <p className="text-xs text-muted">{t("what.incomplete")}</p>}
          </Card>
          <BuyerFields products={products} customerId={customerId} had={ended?.client} />
          <BillingFields />
          <ShippingFields />
          <ReturnUrlField isPreset={returnUrl !== ""} ownPage={ownPage} />
        </div>
        <Card className="p-4 sm:p-5 lg:sticky lg:top-20 low:static!">
          <Price form={form} products={products} today={today} />
          <SubmitButton isPending={isPending} className="mt-4 h-9 w-full">
            {t(isPending ? "submitting" : "submit")}
          </SubmitButton>
        </Card>
      </form>
    </FormProvider>
  );
}

function StartsAgain({ ended, isOnSale }: { ended: Subscription | null; isOnSale: boolean }) {
  const t = useTranslations("create.again");
  if (!ended)
    return (
      <Notice look="warning" icon={TriangleAlert}>
        {t("failed")}
      </Notice>
    );
  const { client, product } = ended;
  const what = [product.name, product.plan_name, product.label].filter(Boolean).join(" · ");
  return (
    <Notice look={isOnSale ? "info" : "warning"} icon={isOnSale ? RotateCcw : PackageX}>
      <p className="font-medium">{t("title", { name: client.full_name || client.phone })}</p>
      <p>{t(isOnSale ? "kept" : "gone", { what })}</p>
    </Notice>
  );
}

interface PeriodFieldProps {
  form: UseFormReturn<CreateSubscriptionValues, unknown, CreateSubscription>;
  products: ProductCatalogue["products"];
  today: string;
}

function PeriodField({
  form,
  products,
  today,
  had,
}: PeriodFieldProps & { had: Subscription["product"] | undefined }) {
  const t = useTranslations("create");
  const inWords = useTranslateFieldError();
  const { field, fieldState } = useController({ control: form.control, name: "pbp_id" });
  const { error } = fieldState;
  return (
    <PeriodPicker
      products={products}
      today={today}
      had={had}
      value={field.value}
      onChange={(pbp_id) => {
        field.onChange(pbp_id);
        form.clearErrors("pbp_id");
      }}
      error={
        error &&
        (error.type === "server" ? inWords(error.message ?? "", "pbp_id") : t("missing.pbp_id"))
      }
    />
  );
}

function Price({ form, products, today }: PeriodFieldProps) {
  const t = useTranslations("create.price");
  const choice = findPeriodWithProduct(
    products,
    useWatch({ control: form.control, name: "pbp_id" }),
  );
  return choice ? (
    <PriceBreakdown choice={choice} today={today} />
  ) : (
    <p className="text-muted">{t("choose")}</p>
  );
}

function NotOnSale({ pbpId, isComplete }: { pbpId: string; isComplete: boolean }) {
  const t = useTranslations("create.notOnSale");
  return (
    <Notice look="warning" icon={PackageX}>
      <p className="font-medium">{t("title")}</p>
      <p>
        {t(isComplete ? "complete" : "incomplete")}{" "}
        <span className="font-mono text-xs break-all">{pbpId}</span>
      </p>
    </Notice>
  );
}

function PriceBreakdown({ choice, today }: { choice: PeriodWithProduct; today: string }) {
  const { product, plan, period } = choice;
  const t = useTranslations("create.price");
  const inFormat = useTranslations("format");
  const format = useFormat();
  const money = (amount: string) => format.money(amount, period.currency);
  const parts = calculatePrice(period, product.vat, today);
  const percentage = product.vat.vat_percentage;
  return (
    <div>
      <p className="font-medium">{product.name}</p>
      <p className="text-muted">{[plan.plan_name, period.label].filter(Boolean).join(" · ")}</p>
      <dl className="mt-3 grid gap-1.5 text-sm">
        <AmountLine label={t("price")} amount={money(period.price)} />
        {parts?.discount && (
          <AmountLine label={t("offer")} amount={`− ${money(parts.discount)}`} />
        )}
        {parts?.vat && !parts.vat_is_included && (
          <AmountLine label={t("vat", { percentage })} amount={`+ ${money(parts.vat)}`} />
        )}
      </dl>
      <div className="mt-3 flex items-baseline justify-between gap-3 border-t pt-3">
        <span className="font-medium">
          {t("toPay", { interval: intervalWords(inFormat, period) })}
        </span>
        <span className="text-lg font-semibold whitespace-nowrap tabular-nums">
          {money(parts?.total ?? period.price)}
        </span>
      </div>
      {parts?.vat && parts.vat_is_included && (
        <p className="mt-1 text-right text-xs text-muted tabular-nums">
          {t("vatIncluded", { amount: money(parts.vat), percentage })}
        </p>
      )}
      <p className="mt-3 text-xs text-muted">{t("note")}</p>
    </div>
  );
}

type Check = Resolver<CreateSubscriptionValues, unknown, CreateSubscription>;

const load = () => import("./create-subscription-check.ts");

/** Loads the validation after the page: with its schema it is a fifth of the page's script. */
function useLateCheck(): Check {
  useEffect(() => {
    load().catch(() => undefined);
  }, []);
  return check;
}

const check: Check = async (values, context, options) => {
  const loaded = await load().catch(() => null);
  if (loaded) return loaded.checkCreateSubscription(values, context, options);
  // If the script cannot be loaded, the action still validates everything.
  return { values: values as CreateSubscription, errors: {} };
};

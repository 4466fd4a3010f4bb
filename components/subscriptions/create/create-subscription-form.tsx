"use client";

import { useTranslations } from "next-intl";
import {
  FormProvider,
  useController,
  useForm,
  useWatch,
  type UseFormReturn,
} from "react-hook-form";
import type { CreateSubscription } from "#contract/subscriptions.ts";
import { SubmitButton } from "#components/ui/forms/submit-button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { ProductCatalogue } from "#lib/products/queries.ts";
import { findChoice } from "#lib/products/rules.ts";
import { BillingFields } from "./customer/billing-fields.tsx";
import { BuyerFields } from "./customer/buyer-fields.tsx";
import type { CreateSubscriptionValues } from "./create-subscription-values.ts";
import { DraftNotice, NotOnSale } from "./create-notices.tsx";
import { useFieldWords } from "./field-words.ts";
import { FormProblems } from "./form-problems.tsx";
import { PeriodPicker } from "./period-picker.tsx";
import { PriceBreakdown } from "./price-breakdown.tsx";
import { ReturnUrlField } from "./return-url-field.tsx";
import { ShippingFields } from "./customer/shipping-fields.tsx";
import { useCreateDraft } from "./use-create-draft.ts";
import { useCreateSubscription } from "./use-create-subscription.ts";
import { useLateCheck } from "./use-late-check.ts";

export interface CreateSubscriptionFormProps {
  catalogue: ProductCatalogue;
  /** Chosen by a link from elsewhere; each empty for none. */
  pbpId: string;
  customerId: string;
  /** The seller's own; empty for none. */
  returnUrl: string;
  /** Duebook's page for buyers who come back, for sellers without one of their own. */
  ownPage: string;
  person: string;
}

export function CreateSubscriptionForm(props: CreateSubscriptionFormProps) {
  const { catalogue, pbpId, customerId, returnUrl, ownPage, person } = props;
  const t = useTranslations("create");
  const { products, is_complete, today } = catalogue;
  const isKnown = findChoice(products, pbpId) !== null;
  const form = useForm<CreateSubscriptionValues, unknown, CreateSubscription>({
    resolver: useLateCheck(),
    defaultValues: {
      pbp_id: isKnown ? pbpId : "",
      return_url: returnUrl || ownPage,
    },
    mode: "onTouched",
    // The summary of all problems takes the focus, and leads to each.
    shouldFocusError: false,
  });
  const draft = useCreateDraft(form, {
    person,
    link: pbpId || customerId,
    isOffered: (pbp_id) => findChoice(products, pbp_id) !== null,
  });
  const { submit, isPending, refusal } = useCreateSubscription(form, draft.forget);

  return (
    <FormProvider {...form}>
      {/* A post, so that nothing typed can ever land in the address. */}
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
          {pbpId && !isKnown && <NotOnSale pbpId={pbpId} isComplete={is_complete} />}
          <Card className="grid gap-4 p-4 sm:p-5">
            <CardTitle>{t("what.title")}</CardTitle>
            <PeriodField form={form} products={products} today={today} />
            {!is_complete && <p className="text-xs text-muted">{t("what.incomplete")}</p>}
          </Card>
          <BuyerFields products={products} customerId={customerId} />
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

interface PeriodFieldProps {
  form: UseFormReturn<CreateSubscriptionValues, unknown, CreateSubscription>;
  products: ProductCatalogue["products"];
  today: string;
}

function PeriodField({ form, products, today }: PeriodFieldProps) {
  const t = useTranslations("create");
  const inWords = useFieldWords();
  const { field, fieldState } = useController({ control: form.control, name: "pbp_id" });
  const { error } = fieldState;
  return (
    <PeriodPicker
      products={products}
      today={today}
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
  const choice = findChoice(products, useWatch({ control: form.control, name: "pbp_id" }));
  return choice ? (
    <PriceBreakdown choice={choice} today={today} />
  ) : (
    <p className="text-muted">{t("choose")}</p>
  );
}

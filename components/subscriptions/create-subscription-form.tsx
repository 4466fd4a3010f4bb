"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useSyncExternalStore } from "react";
import {
  FormProvider,
  useController,
  useForm,
  useWatch,
  type UseFormReturn,
} from "react-hook-form";
import { CreateSubscription } from "#contract/subscriptions.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { Catalogue } from "#lib/products/queries.ts";
import { findChoice } from "#lib/products/rules.ts";
import { BillingFields } from "./billing-fields.tsx";
import { BuyerFields } from "./buyer-fields.tsx";
import type { CreateSubscriptionValues } from "./create-subscription-values.ts";
import { FormProblems } from "./form-problems.tsx";
import { PeriodPicker } from "./period-picker.tsx";
import { PriceBreakdown } from "./price-breakdown.tsx";
import { ReturnUrlField } from "./return-url-field.tsx";
import { ShippingFields } from "./shipping-fields.tsx";
import { useCreateSubscription } from "./use-create-subscription.ts";

interface CreateSubscriptionFormProps {
  catalogue: Catalogue;
  today: string;
  pbpId: string;
}

export function CreateSubscriptionForm({
  catalogue,
  today,
  pbpId,
}: CreateSubscriptionFormProps) {
  const { products, is_complete } = catalogue;
  const form = useForm<CreateSubscriptionValues, unknown, CreateSubscription>({
    resolver: zodResolver(CreateSubscription),
    defaultValues: { pbp_id: findChoice(products, pbpId) ? pbpId : "" },
    mode: "onTouched",
  });
  const { submit, isPending, failure } = useCreateSubscription(form);
  const pbp_id = useWatch({ control: form.control, name: "pbp_id" });
  const choice = findChoice(products, pbp_id);

  return (
    <FormProvider {...form}>
      {/* A post, so that nothing typed can ever land in the address. */}
      <form
        method="post"
        noValidate
        onSubmit={submit}
        className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]"
      >
        <div className="grid gap-6">
          <FormProblems failure={failure} />
          <Card className="grid gap-4 p-4 sm:p-5">
            <CardTitle>What they subscribe to</CardTitle>
            <PeriodField form={form} products={products} />
            {!is_complete && (
              <p className="text-xs text-muted">
                There are more products than this list can hold; the oldest are missing.
              </p>
            )}
          </Card>
          <BuyerFields />
          <BillingFields />
          <ShippingFields />
          <ReturnUrlField />
        </div>
        <Card className="p-4 sm:p-5 lg:sticky lg:top-20">
          {choice ? (
            <PriceBreakdown choice={choice} today={today} />
          ) : (
            <p className="text-muted">
              Choose a billing period to see what the buyer will pay.
            </p>
          )}
          <SubmitButton isPending={isPending} />
        </Card>
      </form>
    </FormProvider>
  );
}

interface PeriodFieldProps {
  form: UseFormReturn<CreateSubscriptionValues, unknown, CreateSubscription>;
  products: Catalogue["products"];
}

function PeriodField({ form, products }: PeriodFieldProps) {
  const { field, fieldState } = useController({ control: form.control, name: "pbp_id" });
  return (
    <PeriodPicker
      products={products}
      value={field.value}
      onChange={(pbp_id) => {
        field.onChange(pbp_id);
        form.clearErrors("pbp_id");
      }}
      error={fieldState.error && "Choose a billing period."}
    />
  );
}

const subscribeToNothing = () => () => {};

/** Disabled until the page can handle it: a submit before that would lose what was typed. */
function SubmitButton({ isPending }: { isPending: boolean }) {
  const isReady = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  return (
    <Button
      type="submit"
      look="primary"
      disabled={!isReady}
      isPending={isPending}
      className="mt-4 h-9 w-full"
    >
      {isPending ? "Creating" : "Create and get the link"}
    </Button>
  );
}

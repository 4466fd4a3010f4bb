import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { lazy, Suspense } from "react";
import { usePermission, useScope } from "#components/context/seller-context.tsx";
import { Day } from "#components/values/day.tsx";
import { useOptOutWay } from "#components/values/opt-out-words.tsx";
import type { Customer } from "#contract/customers.ts";
import { phoneKey } from "#contract/phone-number.ts";
import type { OptOut } from "#contract/reminders.ts";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import { SelectField } from "#components/ui/forms/fields.tsx";
import { setBuyerLanguageAction } from "#lib/messages/opt-outs/actions.ts";
import {
  customerMessagesQuery,
  type CustomerMessages,
} from "#lib/messages/opt-outs/queries.ts";

const loadButtons = () => import("#components/forms/opt-out-buttons.tsx");
const AddOptOutButton = lazy(async () => ({ default: (await loadButtons()).AddOptOutButton }));
const RemoveOptOutButton = lazy(async () => ({
  default: (await loadButtons()).RemoveOptOutButton,
}));

/** The language of messages to the customer, and whether they get reminders, if any are sent. */
export function ReminderChoice({ customer }: { customer: Customer }) {
  const query = customerMessagesQuery(useScope(), String(customer.id));
  const { data } = useQuery(query);
  const queryClient = useQueryClient();
  if (!data) return null;
  const onDone = () => void queryClient.invalidateQueries({ queryKey: query.queryKey });
  return (
    <>
      {phoneKey(customer.buyer_phone) !== "" && (
        <BuyerLanguageChoice key={data.language} {...{ customer, onDone }} messages={data} />
      )}
      {data.opt_outs && <OptOutChoice {...{ customer, onDone }} optOuts={data.opt_outs} />}
    </>
  );
}

interface ChoiceProps {
  customer: Customer;
  onDone: () => void;
}

function BuyerLanguageChoice({
  customer,
  messages: { language, languages },
  onDone,
}: ChoiceProps & { messages: CustomerMessages }) {
  const t = useTranslations("optOuts.customer");
  const mayWrite = usePermission("collection:write");
  const { run, isPending, failure } = useSellerAction(setBuyerLanguageAction);
  const others = language !== null && languages.every(({ code }) => code !== language);
  async function choose(code: string) {
    if (await run({ customer_id: customer.id, language: code || null })) onDone();
  }
  return (
    <div className="mt-4 grid gap-2 border-t pt-3">
      <SelectField
        id="buyer-language"
        label={t("language")}
        hint={t("languageHint")}
        disabled={!mayWrite || isPending}
        defaultValue={language ?? ""}
        onChange={(event) => void choose(event.target.value)}
      >
        <option value="">{t("lastLanguage")}</option>
        {languages.map(({ code, name }) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
        {others && <option value={language}>{language}</option>}
      </SelectField>
      <FailureNotice failure={failure} />
    </div>
  );
}

function OptOutChoice({ customer, optOuts, onDone }: ChoiceProps & { optOuts: OptOut[] }) {
  const t = useTranslations("optOuts.customer");
  const mayWrite = usePermission("collection:write");
  const wayOf = useOptOutWay();
  const [optOut] = optOuts;
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-2 border-t pt-3">
      <p role="status" className="min-w-0 flex-[1_1_10rem] text-sm text-pretty">
        {optOut ? (
          <>
            {t("out")}{" "}
            <span className="text-muted">
              <Day iso={optOut.opted_out_at} /> · {wayOf(optOut)}
            </span>
          </>
        ) : (
          t("in")
        )}
      </p>
      {mayWrite && (
        <Suspense>
          {optOut ? (
            <RemoveOptOutButton optOut={optOut} onDone={onDone} />
          ) : (
            <AddOptOutButton
              buyer={{ phone: customer.buyer_phone, email: customer.buyer_email }}
              onDone={onDone}
            />
          )}
        </Suspense>
      )}
    </div>
  );
}

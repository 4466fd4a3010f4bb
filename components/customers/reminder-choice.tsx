import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { lazy, Suspense } from "react";
import { usePermission, useScope } from "#components/context/seller-context.tsx";
import { Day } from "#components/values/day.tsx";
import { useOptOutWay } from "#components/values/opt-out-words.tsx";
import type { Customer } from "#contract/customers.ts";
import { customerOptOutsQuery } from "#lib/messages/opt-outs/queries.ts";

const loadButtons = () => import("#components/forms/opt-out-buttons.tsx");
const AddOptOutButton = lazy(async () => ({ default: (await loadButtons()).AddOptOutButton }));
const RemoveOptOutButton = lazy(async () => ({
  default: (await loadButtons()).RemoveOptOutButton,
}));

/** Whether reminders go to the customer, where something sends them. */
export function ReminderChoice({ customer }: { customer: Customer }) {
  const t = useTranslations("optOuts.customer");
  const queryClient = useQueryClient();
  const mayWrite = usePermission("collection:write");
  const wayOf = useOptOutWay();
  const query = customerOptOutsQuery(useScope(), String(customer.id));
  const { data } = useQuery(query);
  if (!data?.is_offered) return null;
  const [optOut] = data.opt_outs;
  const onDone = () => void queryClient.invalidateQueries({ queryKey: query.queryKey });
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

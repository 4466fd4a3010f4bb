"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowUp } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { newPaymentsQuery } from "#lib/payments/queries.ts";
import type { PaymentSearch } from "#lib/payments/search.ts";

interface NewPaymentsProps {
  search: PaymentSearch;
  /** The highest number when the page was read; 0 for none. */
  newest: string;
}

/** New payments wait for a press, so that no row jumps. */
export function NewPayments({ search, newest }: NewPaymentsProps) {
  const t = useTranslations("live.held");
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const { data } = useQuery(newPaymentsQuery(useScope(), search, newest));
  const count = data?.count ?? 0;
  return (
    <div role="status" className="empty:sr-only">
      {count > 0 && (
        <div className="mb-2 flex justify-center">
          <Button isPending={isPending} onClick={() => startTransition(() => router.refresh())}>
            <ArrowUp aria-hidden className="size-4" />
            {t("new", { count })}
          </Button>
        </div>
      )}
    </div>
  );
}

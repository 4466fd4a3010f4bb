"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { PageHeader } from "#components/shell/page-header.tsx";
import { useFormat, useSeller } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Printer } from "#components/ui/icons.tsx";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import { STEPS } from "./tour.tsx";

interface QuickGuideProps {
  /** The statuses in the order of a subscription's life, with their badges. */
  statuses: { status: SubscriptionStatus; badge: ReactNode }[];
}

/** A one-page guide for printing. */
export function QuickGuide({ statuses }: QuickGuideProps) {
  const t = useTranslations("guide");
  const format = useFormat();
  const { name, time_zone } = useSeller();
  return (
    <div className="max-w-4xl print:max-w-none print:text-sm">
      <PageHeader
        title={t("title")}
        action={
          <Button className="print:hidden" onClick={() => window.print()}>
            <Printer aria-hidden className="size-4" />
            {t("print")}
          </Button>
        }
      />
      <p className="-mt-3 mb-4 text-muted print:hidden">{t("intro")}</p>
      <p className="hidden print:block">{t("of", { seller: name, zone: time_zone })}</p>
      <Card className="p-4 sm:p-5 print:border-0 print:p-0 print:shadow-none">
        <ol className="grid gap-x-8 gap-y-4 md:grid-cols-2 print:mt-3 print:grid-cols-2 print:gap-y-2">
          {STEPS.map((step, at) => (
            <li key={step} className="flex gap-3">
              <span
                aria-hidden
                className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-sm font-semibold text-accent"
              >
                {format.count(at + 1)}
              </span>
              <div className="min-w-0">
                <h2 className="font-semibold">{t(`steps.${step}.title`)}</h2>
                <p className="text-muted">{t(`steps.${step}.text`)}</p>
              </div>
            </li>
          ))}
        </ol>
      </Card>
      <Statuses statuses={statuses} />
      <h2 className="mt-6 mb-2 font-semibold print:mt-3">{t("trouble.title")}</h2>
      <ul className="list-disc space-y-1 pl-5 text-muted">
        <li>{t("trouble.lost")}</li>
        <li>{t("trouble.away")}</li>
        <li>{t("trouble.role")}</li>
      </ul>
    </div>
  );
}

function Statuses({ statuses }: QuickGuideProps) {
  const t = useTranslations("guide.statuses");
  return (
    <>
      <h2 id="statuses" className="mt-6 mb-2 font-semibold print:mt-3">
        {t("title")}
      </h2>
      <Card className="print:border-0 print:shadow-none">
        <dl aria-labelledby="statuses" className="divide-y">
          {statuses.map(({ status, badge }) => (
            <div
              key={status}
              className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[11rem_minmax(0,1fr)_minmax(0,1fr)] print:grid-cols-[11rem_minmax(0,1fr)_minmax(0,1fr)] print:px-0 print:py-1"
            >
              <dt>{badge}</dt>
              <dd className="text-muted">
                <span className="sr-only">{t("means")}: </span>
                {t(`${status}.means`)}
              </dd>
              <dd>
                <span className="sr-only">{t("do")}: </span>
                {t(`${status}.do`)}
              </dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  );
}

import { ChevronRight, Circle, CircleCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ScopedLink } from "#components/layout/scoped-link.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { cn } from "#lib/cn.ts";
import type { GoLive } from "#lib/connection/queries.ts";

interface Step {
  name: "key" | "verified" | "returnUrl" | "webhook" | "subscription";
  isDone: boolean;
  /** Where it is done, when that is here. */
  href?: string;
}

const stepsOf = (goLive: GoLive): Step[] => [
  { name: "key", isDone: goLive.is_connected, href: "/settings/connection" },
  { name: "verified", isDone: goLive.is_verified },
  { name: "returnUrl", isDone: goLive.has_return_url, href: "/settings/seller" },
  { name: "webhook", isDone: goLive.has_webhook === true, href: "/settings/webhooks" },
  { name: "subscription", isDone: goLive.has_subscription, href: "/subscriptions/new" },
];

/** What is set up once; it goes away when all of it is done. */
export function GoLiveList({ goLive }: { goLive: GoLive }) {
  const t = useTranslations("overview.goLive");
  const steps = stepsOf(goLive);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card aria-labelledby="go-live" className="my-4">
      <div className="flex items-baseline justify-between gap-4 border-b px-4 py-3">
        <CardTitle id="go-live">{t("title")}</CardTitle>
        <p className="text-sm text-muted tabular-nums">
          {t("progress", { done, count: steps.length })}
        </p>
      </div>
      <ol className="divide-y">
        {steps.map((step) => (
          <li key={step.name}>
            <StepRow step={step} has_webhook={goLive.has_webhook} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

interface StepRowProps extends Pick<GoLive, "has_webhook"> {
  step: Step;
}

function StepRow({ step, has_webhook }: StepRowProps) {
  const t = useTranslations("overview");
  const { name, isDone } = step;
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <StepFrame step={step}>
      <Icon
        aria-hidden
        className={cn("mt-0.5 size-4 shrink-0", isDone ? "text-active" : "text-faint")}
      />
      <span className="min-w-0 flex-1">
        <span className={cn("block", isDone ? "text-muted" : "font-medium")}>
          {t.rich(isDone ? "goLive.done" : "goLive.toDo", {
            step: t(`goLive.steps.${name}`),
            hidden: (chunks) => <span className="sr-only">{chunks}</span>,
          })}
        </span>
        {!isDone && (
          <span className="block text-sm text-muted">
            {name === "webhook"
              ? t(`goLive.webhookAdvice.${waitedFor(has_webhook)}`)
              : t(`goLive.advice.${name}`)}
          </span>
        )}
      </span>
    </StepFrame>
  );
}

function waitedFor(has_webhook: GoLive["has_webhook"]) {
  if (has_webhook === "not_shown") return "notShown";
  return has_webhook === null ? "notVerified" : "toRegister";
}

function StepFrame({ step, children }: { step: Step; children: ReactNode }) {
  const className = "flex min-h-11 items-start gap-3 px-4 py-3";
  if (step.isDone || !step.href) return <div className={className}>{children}</div>;
  return (
    <ScopedLink href={step.href} className={cn(className, "-outline-offset-2 hover:bg-canvas")}>
      {children}
      <ChevronRight aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
    </ScopedLink>
  );
}

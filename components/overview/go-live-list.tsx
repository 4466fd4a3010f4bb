import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { PageLink } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { ChevronRight, Circle, CircleCheck, CircleHelp } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";
import type { GoLive } from "#lib/connection/queries.ts";
import { scopePath, type Mode, type Scope } from "#lib/scope.ts";

interface Step {
  name:
    | "account"
    | "key"
    | "verified"
    | "product"
    | "subscription"
    | "returnUrl"
    | "webhook"
    | "live";
  /** Whether the step is done; null if unknown. */
  isDone: boolean | null;
  /** The page for the step, if Duebook has it. */
  href?: string;
  /** The mode of that page, if it is not this one. */
  mode?: Mode;
}

const CONNECTION = "/settings/connection";

const stepsOf = (goLive: GoLive, mode: Mode): Step[] => [
  ...(goLive.is_account_opened === null
    ? [
        { name: "key", isDone: goLive.is_connected, href: CONNECTION } as const,
        { name: "verified", isDone: goLive.is_verified } as const,
      ]
    : [
        { name: "account", isDone: goLive.is_account_opened, href: CONNECTION } as const,
        // A sandbox account needs no verification; the connection's page says what is missing.
        ...(mode === "test"
          ? []
          : [{ name: "verified", isDone: goLive.is_verified, href: CONNECTION } as const]),
      ]),
  ...(goLive.has_product === undefined
    ? []
    : [{ name: "product", isDone: goLive.has_product, href: "/products/new" } as const]),
  { name: "subscription", isDone: goLive.has_subscription, href: "/subscriptions/new" },
  { name: "returnUrl", isDone: goLive.has_return_url, href: "/settings/seller" },
  { name: "webhook", isDone: isShown(goLive.has_webhook), href: "/settings/webhooks" },
  ...(goLive.is_live_begun === undefined
    ? []
    : [
        { name: "live", isDone: goLive.is_live_begun, href: CONNECTION, mode: "live" } as const,
      ]),
];

const isShown = (has: GoLive["has_webhook"]) => (has === "not_shown" ? false : has);

interface GoLiveListProps {
  goLive: GoLive;
  scope: Scope;
}

export function GoLiveList({ goLive, scope }: GoLiveListProps) {
  const t = useTranslations("overview.goLive");
  const steps = stepsOf(goLive, scope.mode);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card aria-labelledby="go-live" className="my-4">
      <div className="flex items-baseline justify-between gap-4 border-b px-4 py-3">
        <CardTitle id="go-live">{t("title")}</CardTitle>
        {steps.every(({ isDone }) => isDone !== null) && (
          <p className="text-sm text-muted tabular-nums">
            {t("progress", { done, count: steps.length })}
          </p>
        )}
      </div>
      <ol className="divide-y">
        {steps.map((step) => (
          <li key={step.name}>
            <StepRow {...{ step, goLive, scope }} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function StepRow({ step, goLive, scope }: GoLiveListProps & { step: Step }) {
  const t = useTranslations("overview");
  const { name, isDone } = step;
  const Icon = isDone === null ? CircleHelp : isDone ? CircleCheck : Circle;
  return (
    <StepFrame step={step} scope={scope}>
      <Icon
        aria-hidden
        className={cn("mt-0.5 size-4 shrink-0", isDone ? "text-active" : "text-faint")}
      />
      <span className="min-w-0 flex-1">
        <span className={cn("block", isDone ? "text-muted" : "font-medium")}>
          {t.rich(isDone === null ? "goLive.unknown" : isDone ? "goLive.done" : "goLive.toDo", {
            step: t(`goLive.steps.${name}`, { mode: scope.mode }),
            hidden: (chunks) => <span className="sr-only">{chunks}</span>,
          })}
        </span>
        {!isDone && (
          <span className="block text-sm text-muted">
            {isDone === null
              ? t("goLive.unanswered")
              : name === "webhook"
                ? t(`goLive.webhookAdvice.${waitedFor(goLive)}`)
                : t(`goLive.advice.${name}`)}
          </span>
        )}
      </span>
    </StepFrame>
  );
}

function waitedFor({ has_webhook, is_verified }: GoLive) {
  if (has_webhook === "not_shown") return "notShown";
  return is_verified ? "toRegister" : "notVerified";
}

interface StepFrameProps {
  step: Step;
  scope: Scope;
  children: ReactNode;
}

function StepFrame({ step, scope, children }: StepFrameProps) {
  const className = "flex min-h-11 items-start gap-3 px-4 py-3";
  if (step.isDone !== false || !step.href) return <div className={className}>{children}</div>;
  return (
    <PageLink
      href={scopePath({ ...scope, ...(step.mode && { mode: step.mode }) }, step.href)}
      className={cn(className, "-outline-offset-2 hover:bg-canvas")}
    >
      {children}
      <ChevronRight aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
    </PageLink>
  );
}

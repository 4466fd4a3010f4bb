import { Circle, CircleAlert, CircleCheck, LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#lib/cn.ts";
import type { Failure, Words } from "#lib/failure.ts";
import type { StepReport, StepState } from "./use-steps.ts";

const LOOKS = {
  waiting: { icon: Circle, className: "text-faint" },
  unsent: { icon: Circle, className: "text-faint" },
  running: { icon: LoaderCircle, className: "animate-spin text-muted" },
  done: { icon: CircleCheck, className: "text-active" },
  failed: { icon: CircleAlert, className: "text-danger" },
} as const;

interface StepListProps<Value> {
  label: string;
  steps: StepReport<Value>[];
  describe: (failure: Failure) => Words;
  /** Renders the result of a finished step. */
  children?: (value: Value) => ReactNode;
}

/** A sequence of calls with their results; failed ones show the reason and a retry button. */
export function StepList<Value>({ label, steps, describe, children }: StepListProps<Value>) {
  const t = useTranslations("layout.steps");
  return (
    <ul aria-label={label} aria-live="polite" className="grid gap-2">
      {steps.map(({ key, label: name, outcome, retry }) => (
        <li key={key} className="flex items-start gap-2">
          <StepIcon state={outcome.state} />
          <div className="min-w-0 flex-1">
            <p className="break-words">
              {name}
              <span className="sr-only">: {t(outcome.state)}</span>
            </p>
            {outcome.state === "done" && (
              <div className="text-sm text-muted">{children?.(outcome.value)}</div>
            )}
            {outcome.state === "unsent" && (
              <p aria-hidden className="text-sm text-muted">
                {t("unsent")}
              </p>
            )}
            {outcome.state === "failed" && <FailedStep {...describe(outcome.failure)} />}
          </div>
          {retry && (
            <Button className="-my-1.5 shrink-0" onClick={retry}>
              {t.rich("retry", {
                step: name,
                unseen: (words) => <span className="sr-only">{words}</span>,
              })}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function StepIcon({ state }: { state: StepState<unknown>["state"] }) {
  const { icon: Icon, className } = LOOKS[state];
  return <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", className)} />;
}

function FailedStep({ title, advice }: Words) {
  return (
    <p className="text-sm text-danger">
      {title} {advice}
    </p>
  );
}

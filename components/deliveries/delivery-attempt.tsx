import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ChevronRight } from "#components/ui/icons.tsx";
import { Moment } from "#components/values/day.tsx";
import { ScopedLink } from "#components/context/seller-context.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import type { Attempt } from "#contract/deliveries.ts";
import { examinePath } from "#lib/deliveries/search.ts";
import {
  curlCommandOf,
  diagnoseAttempt,
  formatDuration,
  prettyBody,
} from "#lib/deliveries/rules.ts";

interface DeliveryAttemptProps {
  delivery: number;
  attempt: Attempt;
  number: number;
  isOpen: boolean;
}

export function DeliveryAttempt({ delivery, attempt, number, isOpen }: DeliveryAttemptProps) {
  const t = useTranslations("deliveries");
  const { title, advice } = diagnoseAttempt(t, attempt);
  return (
    <li>
      <details open={isOpen} className="group">
        <summary className="grid min-h-11 cursor-pointer list-none grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-x-2 px-3 py-2 -outline-offset-2 hover:bg-canvas [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="size-4 text-muted transition-transform group-open:rotate-90"
          />
          <span className="min-w-0">
            <span className="font-medium">{t("attempt.name", { number })}</span>
            <span className="text-muted"> · {title}</span>
          </span>
          <span className="text-right text-sm text-muted tabular-nums">
            <Moment iso={attempt.started_at} />
            <span className="block">{formatDuration(t, attempt.duration_ms)}</span>
          </span>
        </summary>
        <div className="grid gap-4 border-t bg-canvas px-4 py-3 lg:grid-cols-2">
          <p className="text-sm text-muted lg:col-span-2">
            {advice}{" "}
            <ScopedLink
              href={examinePath({ delivery: String(delivery), attempt: number })}
              className="text-accent underline underline-offset-2"
            >
              {t("attempt.examine", { number })}
            </ScopedLink>
          </p>
          <Request request={attempt.request} />
          <Response attempt={attempt} />
        </div>
      </details>
    </li>
  );
}

function Request({ request }: { request: Attempt["request"] }) {
  const t = useTranslations("deliveries");
  const { url, headers, body } = request;
  const line = ["POST", url].join(" ");
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Part title={t("attempt.request")}>
      <CodeBlock text={[line, ...head].join("\n")} className="bg-surface" />
      <CodeBlock text={prettyBody(body)} className="bg-surface" />
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={curlCommandOf(request)} label={t("attempt.copyCurl")} />
        <CopyButton text={body} label={t("record.copyBody")} />
      </div>
      <p className="text-xs text-muted">{t("attempt.signedThen")}</p>
    </Part>
  );
}

const KEPT = 4_096;

function Response({ attempt }: { attempt: Attempt }) {
  const t = useTranslations("deliveries.attempt");
  const { response, error } = attempt;
  if (!response)
    return (
      <Part title={t("noResponse")}>
        <p className="text-sm">{error ?? t("unsaid")}</p>
      </Part>
    );
  const { code, body } = response;
  return (
    <Part title={t("response", { code: String(code) })}>
      {body ? (
        <CodeBlock text={prettyBody(body)} className="bg-surface" />
      ) : (
        <p className="text-sm text-muted">{t("noBody")}</p>
      )}
      {body && body.length >= KEPT && <p className="text-xs text-muted">{t("cut")}</p>}
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 content-start gap-2">
      <h3 className="text-sm font-medium">{title}</h3>
      {children}
    </section>
  );
}

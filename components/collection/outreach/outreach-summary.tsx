import { CircleCheck, MessagesSquare } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { KeyCaps } from "#components/ui/key-caps.tsx";
import { countOutcomes, type Outreach } from "#lib/collection/outreach.ts";
import type { QueueState } from "#components/collection/state/use-queue.ts";

interface RunProps {
  desk: QueueState;
  run: Outreach;
}

/** Shown while the outreach is paused and when it is finished. */
export function OutreachSummary({ desk }: { desk: QueueState }) {
  const { run, next } = desk.outreach;
  if (!run || desk.isOutreachOpen) return null;
  return next ? <Resume {...{ desk, run }} /> : <Summary {...{ desk, run }} />;
}

function Resume({ desk, run }: RunProps) {
  const t = useTranslations("collection.preparing");
  const { done, total } = countOutcomes(run);
  // With a selection the shortcut adds it, which resumes too.
  const isKey = desk.selection.count === 0;
  return (
    <Card
      aria-label={t("label")}
      className="mb-3 flex flex-wrap items-center gap-x-2 gap-y-1.5 px-3 py-2"
    >
      <MessagesSquare aria-hidden className="size-4 shrink-0 text-muted" />
      <p className="mr-auto min-w-0">{t("waiting", { count: total - done })}</p>
      <Button aria-keyshortcuts={isKey ? "w" : undefined} onClick={desk.resume}>
        {t("resume")}
        {isKey && <KeyCaps keys={["w"]} className="max-md:hidden" />}
      </Button>
      <Button look="quiet" onClick={desk.outreach.end}>
        {t("leave")}
      </Button>
    </Card>
  );
}

/** The outcomes, and the buyers without a message. */
function Summary({ desk, run }: RunProps) {
  const t = useTranslations("collection.preparing");
  const title = useRef<HTMLHeadingElement>(null);
  // The focused buyer is gone.
  useEffect(() => title.current?.focus(), []);
  const unwritten = run.buyers.filter(
    ({ outcome }) => outcome === "skipped" || outcome === "unreachable",
  );
  return (
    <Card aria-labelledby="prepared-title" className="mb-3 grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <CircleCheck aria-hidden className="size-4 shrink-0 text-active" />
        <h2
          ref={title}
          id="prepared-title"
          tabIndex={-1}
          className="mr-auto font-semibold outline-none"
        >
          {t("finished", { count: run.buyers.length })}
        </h2>
        <Button aria-keyshortcuts="Escape" onClick={desk.outreach.end}>
          {t("close")}
        </Button>
      </div>
      <p className="tabular-nums">
        <OutcomeCounts run={run} />
      </p>
      {unwritten.length > 0 && (
        <div className="flex flex-wrap items-baseline gap-x-1 text-sm">
          <h3 id="unwritten-title" className="text-muted">
            {t("others")}
          </h3>
          <ul aria-labelledby="unwritten-title" className="flex min-w-0 flex-wrap gap-y-1">
            {unwritten.map(({ id, name }) => (
              <li key={id} className="min-w-0">
                <Button
                  look="quiet"
                  className="max-w-full underline"
                  onClick={() => desk.reopen(id)}
                >
                  <span className="truncate">{name}</span>
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  );
}

/** "9 written to · 2 skipped" */
export function OutcomeCounts({ run }: Pick<RunProps, "run">) {
  const t = useTranslations("collection.preparing.outcome");
  return countOutcomes(run)
    .outcomes.map(({ outcome, count }) => t(outcome, { count }))
    .join(" · ");
}

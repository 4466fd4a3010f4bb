import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { useScope, useSeller } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import {
  CircleCheck,
  MessagesSquare,
  SkipForward,
  UserRoundCheck,
  UserRoundX,
  X,
} from "#components/ui/icons.tsx";
import { KeyCaps } from "#components/ui/key-caps.tsx";
import { ProgressBar } from "#components/ui/charts/progress-bar.tsx";
import { buyerQuery } from "#lib/collection/queries.ts";
import {
  countOutcomes,
  skippedOutcomeOf,
  type Outreach,
  type OutreachOutcome,
} from "#lib/collection/outreach.ts";
import { channelsReaching } from "#lib/collection/rules.ts";
import { callAddress } from "#lib/messages/channels.ts";
import type { QueueState } from "#components/collection/state/use-queue.ts";
import { Card } from "#components/ui/card.tsx";

/** Progress of the outreach above the open buyer, with the button to go on. */
export function OutreachStrip({ desk }: { desk: QueueState }) {
  const t = useTranslations("collection.preparing");
  const tOfSaid = useTranslations("collection.said");
  const { run, next } = desk.outreach;
  const outcome = useOutcome(desk);
  if (!run || !next || !desk.isOutreachOpen) return null;
  const { id, name } = next;
  const goOn = () => {
    const follows = desk.openNext(id, outcome.is);
    const said = outcome.is === "skipped" ? [tOfSaid("skipped", { name })] : [];
    const text = [...said, ...(follows === "runDone" ? [tOfSaid("runDone")] : [])].join(" ");
    desk.setSaid({ text, contact: null, subscription_id: id });
  };
  const at = Math.min(run.at + 1, run.buyers.length);
  const text = t("progress", { at, total: run.buyers.length });
  const { done } = countOutcomes(run);
  return (
    <section
      aria-label={t("label")}
      className="sticky top-0 z-5 mb-3 grid gap-2 rounded-md border bg-surface px-3 py-2 shadow-card max-lg:top-[calc(var(--band)+3.5rem)] low:static"
    >
      <ProgressBar label={t("label")} text={text} done={done} total={run.buyers.length} />
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <div className="mr-auto min-w-0">
          <p className="font-medium tabular-nums">{text}</p>
          <p className="text-xs text-muted tabular-nums">
            <OutcomeCounts run={run} />
          </p>
        </div>
        <Button aria-keyshortcuts="s" onClick={goOn}>
          <SkipForward aria-hidden className="size-4" />
          {t(outcome.is === "skipped" ? "skip" : "goOn")}
          <KeyCaps keys={["s"]} className="max-md:hidden" />
        </Button>
        <Button look="quiet" aria-keyshortcuts="Escape" onClick={desk.stop}>
          <X aria-hidden className="size-4" />
          {t("stop")}
        </Button>
      </div>
      <Meanwhile {...outcome} />
    </section>
  );
}

const ICONS = {
  reached: UserRoundCheck,
  settled: CircleCheck,
  unreachable: UserRoundX,
  written: CircleCheck,
} as const;

function Meanwhile({ is, by }: ReturnType<typeof useOutcome>) {
  const t = useTranslations("collection.preparing.meanwhile");
  const Icon = is === "skipped" ? null : ICONS[is];
  return (
    <p role="status" className="flex items-center gap-1.5 text-sm font-medium empty:sr-only">
      {Icon && <Icon aria-hidden className="size-4 shrink-0" />}
      {is !== "skipped" && t(is, { name: by })}
    </p>
  );
}

/** The outcome if the user continues now, and who contacted the buyer. */
function useOutcome(desk: QueueState): { is: Exclude<OutreachOutcome, "noted">; by: string } {
  const { person, time_zone } = useSeller();
  const { next } = desk.outreach;
  const id = next?.id ?? "";
  const query = useQuery({
    ...buyerQuery(useScope(), id, desk.search),
    enabled: desk.isOutreachOpen,
  });
  const entry = query.data?.entry ?? (desk.openId === id ? desk.entry : undefined);
  if (!entry || !next) return { is: "skipped", by: "" };
  const { client } = entry.subscription;
  const isTold = next.notice !== undefined;
  const isWritten =
    (isTold || entry.checkout_url !== null) && channelsReaching(client, time_zone).length > 0;
  const isReachable = isWritten || callAddress(client.phone) !== null;
  return {
    is: skippedOutcomeOf(entry, { person, seen: next.seen, isReachable, isTold }),
    by: entry.contacted.last?.person.name ?? "",
  };
}

interface RunProps {
  desk: QueueState;
  run: Outreach;
}

/** The summary of an outreach that is paused or finished. */
export function OutreachSummary({ desk }: { desk: QueueState }) {
  const { run, next } = desk.outreach;
  if (!run || desk.isOutreachOpen) return null;
  return next ? <Resume {...{ desk, run }} /> : <Summary {...{ desk, run }} />;
}

function Resume({ desk, run }: RunProps) {
  const t = useTranslations("collection.preparing");
  const { done, total } = countOutcomes(run);
  // With a selection, the shortcut adds the selected buyers instead, which resumes the outreach
  // too.
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
  // The buyer that had the focus is no longer shown.
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

/** The number of buyers by outcome, such as "9 written to · 2 skipped". */
function OutcomeCounts({ run }: Pick<RunProps, "run">) {
  const t = useTranslations("collection.preparing.outcome");
  return countOutcomes(run)
    .outcomes.map(({ outcome, count }) => t(outcome, { count }))
    .join(" · ");
}

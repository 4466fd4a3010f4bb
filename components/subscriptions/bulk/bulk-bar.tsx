"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, Suspense, useState } from "react";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { ScopedLink, useSeller } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { ScrollArea } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import {
  Bookmark,
  CalendarClock,
  Link2,
  RotateCcw,
  TimerOff,
  X,
} from "#components/ui/icons.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { can } from "#lib/auth/permissions.ts";
import { BULK_LIMIT, OPERATIONS } from "#lib/subscriptions/rules.ts";
import type { SubscriptionRecord } from "#lib/subscriptions/queries.ts";
import { ReadingProgress, useFreshRecords } from "./bulk-fresh-records.tsx";
import { type BulkSelection, describeSelection } from "./bulk-selection.tsx";

const ICONS = { cancel: TimerOff, resume: RotateCcw, reschedule: CalendarClock };

const BulkTags = lazyPart(async () => (await import("./bulk-tags.tsx")).BulkTags, "tags");

const ON_PHONE =
  "max-md:h-auto! max-md:min-h-12 max-md:flex-col max-md:gap-0.5! max-md:px-0! max-md:py-1 max-md:text-xs max-md:leading-tight max-md:whitespace-normal";

/** Actions for the selected rows; stays visible while scrolling. */
export function BulkBar({ selection }: { selection: BulkSelection }) {
  const t = useTranslations("bulk");
  const { role } = useSeller();
  // The dialog keeps the selection it was opened with.
  const [linked, setLinked] = useState<readonly string[] | null>(null);
  const [tagged, setTagged] = useState<readonly string[] | null>(null);
  return (
    <>
      {selection.ids.length > 0 && (
        <section
          aria-label={t("bar.label")}
          className="sticky bottom-20 z-5 mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border bg-surface px-3 py-2 shadow-raised md:bottom-4 low:static"
        >
          <Selected selection={selection} />
          <div className="flex flex-wrap gap-2 max-md:grid max-md:w-full max-md:grid-cols-2 max-md:gap-1.5 min-[22.5rem]:max-md:grid-cols-3">
            {OPERATIONS.filter((operation) => can(role, `subscriptions:${operation}`)).map(
              (operation) => {
                const Icon = ICONS[operation];
                return (
                  <ScopedLink
                    key={operation}
                    href={`/subscriptions/bulk/new?action=${operation}`}
                    onNavigate={selection.keep}
                    className={buttonClass("secondary", ON_PHONE)}
                  >
                    <Icon aria-hidden className="size-4" />
                    <span>{t.rich(`bar.${operation}`, { hidden })}</span>
                  </ScopedLink>
                );
              },
            )}
            <Button
              className={ON_PHONE}
              aria-haspopup="dialog"
              onClick={() => setLinked(selection.ids)}
            >
              <Link2 aria-hidden className="size-4" />
              {t("bar.copyLinks")}
            </Button>
            {can(role, "collection:write") && (
              <Button
                className={ON_PHONE}
                aria-haspopup="dialog"
                onClick={() => setTagged(selection.ids)}
              >
                <Bookmark aria-hidden className="size-4" />
                {t("bar.tags")}
              </Button>
            )}
          </div>
        </section>
      )}
      <Dialog
        title={t("bar.copyLinks")}
        isOpen={linked !== null}
        onClose={() => setLinked(null)}
      >
        {linked && <BulkLinks ids={linked} />}
      </Dialog>
      <Dialog title={t("bar.tags")} isOpen={tagged !== null} onClose={() => setTagged(null)}>
        <Suspense fallback={<span className="skeleton h-72" />}>
          {tagged && <BulkTags ids={tagged} onClose={() => setTagged(null)} />}
        </Suspense>
      </Dialog>
    </>
  );
}

function Selected({ selection }: { selection: BulkSelection }) {
  const t = useTranslations("bulk");
  const isWholePage = selection.page === "all";
  return (
    <div className="mr-auto flex items-center gap-2 max-md:w-full">
      <div>
        <p className="font-medium tabular-nums">{describeSelection(t, selection)}</p>
        {selection.isFull && (
          <p className="text-xs text-warning">{t("bar.atMost", { most: BULK_LIMIT })}</p>
        )}
      </div>
      <Button look="quiet" className="ml-auto md:hidden" onClick={selection.togglePage}>
        {t(isWholePage ? "bar.noneHere" : "bar.wholePage")}
      </Button>
      <Button
        look="quiet"
        aria-label={t("bar.clear")}
        aria-keyshortcuts="Escape"
        onClick={selection.clear}
      >
        <X aria-hidden className="size-4" />
      </Button>
    </div>
  );
}

const hidden = (words: ReactNode) => <span className="sr-only">{words}</span>;

/** The checkout links of the selected subscriptions, to copy. */
function BulkLinks({ ids }: { ids: readonly string[] }) {
  const t = useTranslations("bulk.links");
  const reading = useFreshRecords(ids);
  if (!reading.isComplete || reading.failure)
    return <ReadingProgress reading={reading} total={ids.length} />;
  const records = ids.flatMap((id) => reading.records.get(id) ?? []);
  const linked = records.filter(hasLink);
  const without = ids.length - linked.length;
  return (
    <>
      {linked.length > 0 && <Links linked={linked} />}
      {without > 0 && (
        <p className="mt-3 text-sm text-muted">
          {without === ids.length ? t("none") : t("without", { count: without })}
        </p>
      )}
    </>
  );
}

type Linked = SubscriptionRecord & { checkout_url: string };

const hasLink = (record: SubscriptionRecord): record is Linked => record.checkout_url !== null;

function Links({ linked }: { linked: Linked[] }) {
  const t = useTranslations("bulk.links");
  const links = linked.map(({ checkout_url }) => checkout_url).join("\n");
  // Spreadsheets split pasted lines into columns at tabs.
  const rows = linked.map(({ subscription: { client }, checkout_url }) =>
    [client.full_name, client.phone, checkout_url]
      .map((cell) => cell.replaceAll(/\s+/g, " "))
      .join("\t"),
  );
  return (
    <>
      <ScrollArea label={t("label")} className="max-h-72">
        <ul className="divide-y">
          {linked.map(({ subscription, checkout_url }) => (
            <li key={subscription.subscription_id} className="px-3 py-1.5">
              <span className="block truncate font-medium">
                {subscription.client.full_name || subscription.client.phone}
              </span>
              <span className="block truncate font-mono text-xs text-muted">
                {checkout_url}
              </span>
            </li>
          ))}
        </ul>
      </ScrollArea>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <CopyButton text={rows.join("\n")} label={t("copyNamed")} />
        <CopyButton text={links} label={t("copy", { count: linked.length })} look="primary" />
      </div>
    </>
  );
}

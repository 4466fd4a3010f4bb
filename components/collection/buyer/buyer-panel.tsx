import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { UrlLink } from "#components/list/links.tsx";
import { ArrowLeft, ArrowUpRight, CircleCheck } from "#components/ui/icons.tsx";
import { Day } from "#components/values/day.tsx";
import { KeptDebtNotice } from "#components/forms/kept-debt.tsx";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import {
  ScopedLink,
  useFormat,
  usePermission,
  useScope,
} from "#components/context/seller-context.tsx";
import { Card } from "#components/ui/card.tsx";
import { failureOf } from "#lib/failure.ts";
import { buyerQuery, type QueueEntry } from "#lib/collection/queries.ts";
import { amountsOwed } from "#lib/money/debt.ts";
import { queuePath } from "#lib/collection/search.ts";
import { ContactActionMenu } from "./contact-actions.tsx";
import { ContactList } from "./contact-list.tsx";
import { MessageEditor } from "./message-editor.tsx";
import { useContactActions } from "#components/collection/state/use-contact-actions.ts";
import type { QueueState } from "#components/collection/state/use-queue.ts";
import {
  StatusBadges,
  useRelativeTime,
  useBuyerName,
} from "#components/collection/state/entry-status.tsx";

interface BuyerDetailsProps {
  desk: QueueState;
  subscription_id: string;
}

/** The open buyer: status, reminder and contacts. */
export function BuyerPanelDetails({ desk, subscription_id }: BuyerDetailsProps) {
  const query = useQuery(buyerQuery(useScope(), subscription_id, desk.search));
  const listed =
    desk.entry?.subscription.subscription_id === subscription_id ? desk.entry : undefined;
  const entry = query.data?.entry ?? listed;
  if (!entry)
    return (
      <Card className="p-5">
        {query.error ? (
          <FailureLine failure={failureOf(query.error)} query={query} />
        ) : (
          <span aria-busy className="skeleton h-96" />
        )}
      </Card>
    );
  return <Buyer key={subscription_id} {...{ desk, entry }} contacts={query.data?.contacts} />;
}

interface BuyerProps {
  desk: QueueState;
  entry: QueueEntry;
  contacts: Parameters<typeof ContactList>[0]["contacts"];
}

function Buyer({ desk, entry, contacts }: BuyerProps) {
  const t = useTranslations("collection");
  const card = useRef<HTMLElement>(null);
  const acts = useContactActions(desk, entry, card);
  const mayWrite = usePermission("collection:write");
  const { subscription, status, contacted } = entry;
  const { debt } = contacted;
  return (
    <Card ref={card} aria-labelledby="desk-buyer-title" className="grid gap-5 p-4 sm:p-5">
      <BuyerHead desk={desk} entry={entry} />
      {debt && (
        <KeptDebtNotice
          subscription_id={subscription.subscription_id}
          debt={debt}
          onWaived={() => void desk.renew()}
        />
      )}
      {status.group === null && (
        <p className="flex items-center gap-1.5 font-medium text-active">
          <CircleCheck aria-hidden className="size-4" />
          {t("buyer.nothingOwed")}
        </p>
      )}
      {mayWrite ? (
        <>
          <MessageEditor {...{ desk, entry, acts }} />
          <ContactActionMenu {...{ desk, entry, acts }} />
        </>
      ) : (
        <p className="text-muted">{t("buyer.readOnly")}</p>
      )}
      <ContactList subscription_id={subscription.subscription_id} contacts={contacts} />
      <ScopedLink
        href={`/subscriptions/${subscription.subscription_id}`}
        className="inline-flex items-center gap-1 justify-self-start text-sm text-muted underline underline-offset-2 hover:text-ink"
      >
        {t("buyer.record")}
        <ArrowUpRight aria-hidden className="size-3.5" />
      </ScopedLink>
    </Card>
  );
}

function BuyerHead({ desk, entry }: Pick<BuyerProps, "desk" | "entry">) {
  const t = useTranslations("collection");
  const scope = useScope();
  const format = useFormat();
  const nameOf = useBuyerName();
  const title = useRef<HTMLHeadingElement>(null);
  const { client, product, next_billing_cycle, subscription_id } = entry.subscription;
  // On phones the pane is hidden until the URL names the buyer.
  const isArrived = desk.arrival === subscription_id && desk.asked === subscription_id;
  // After an action, the focus moves to the name of the next buyer.
  useEffect(() => {
    if (isArrived) title.current?.focus({ preventScroll: false });
  }, [isArrived]);
  return (
    <header>
      <UrlLink
        href={queuePath(scope, desk.search, { after: desk.after })}
        aria-keyshortcuts={desk.asked === null || desk.isOutreachOpen ? undefined : "Escape"}
        className="mb-3 inline-flex items-center gap-1 text-sm text-muted hover:text-ink max-lg:min-h-11 lg:hidden"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {t("buyer.back")}
      </UrlLink>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <h2
          ref={title}
          id="desk-buyer-title"
          tabIndex={-1}
          className="min-w-0 scroll-mt-20 text-lg font-semibold outline-none max-lg:scroll-mt-44"
        >
          {nameOf(entry)}
        </h2>
        <p className="text-lg font-semibold tabular-nums">
          {format.toPay(...amountsOwed(entry.subscription, entry.to_pay, entry.contacted.debt))}
        </p>
      </div>
      <div className="mt-1.5 flex flex-wrap items-center gap-1.5">
        <StatusBadges status={entry.status} />
        <span className="text-sm text-muted">
          {[product.name, product.plan_name, product.label].filter(Boolean).join(" · ")}
        </span>
      </div>
      <dl className="mt-4 grid gap-x-6 gap-y-3 sm:grid-cols-3">
        <Fact label={t(entry.status.until === null ? "buyer.wasDue" : "buyer.isDue")}>
          {next_billing_cycle ? <Day iso={next_billing_cycle} /> : t("buyer.noDate")}
        </Fact>
        <Fact label={t("buyer.reach")}>
          {[client.phone, client.email].filter(Boolean).join(" · ") || t("buyer.noReach")}
        </Fact>
        <Fact label={t("buyer.lastContact")}>
          <LastContact entry={entry} />
        </Fact>
      </dl>
      <BuyerNote entry={entry} />
    </header>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="text-sm">{children}</dd>
    </div>
  );
}

function LastContact({ entry }: Pick<BuyerProps, "entry">) {
  const t = useTranslations("collection");
  const ago = useRelativeTime();
  const { last, reminders } = entry.contacted;
  if (last === null) return t("buyer.never");
  return t("buyer.last", {
    when: ago(last.at),
    name: last.person.name,
    channel: last.channel ? t(`channel.${last.channel}`) : "",
    count: reminders,
  });
}

function BuyerNote({ entry }: Pick<BuyerProps, "entry">) {
  const t = useTranslations("collection");
  const format = useFormat();
  const { contacted, status } = entry;
  const { promised_for, note, assigned, snoozed_until } = contacted;
  const lines = [
    promised_for &&
      t(status.is_broken ? "buyer.broken" : "buyer.promised", {
        day: format.date(promised_for),
      }),
    status.turn === "snoozed" &&
      snoozed_until &&
      t("buyer.snoozed", { day: format.date(snoozed_until) }),
    assigned && t("buyer.assigned", { name: assigned.name }),
    note && t("buyer.note", { text: note.text, name: note.name }),
  ].filter((line) => typeof line === "string");
  if (lines.length === 0) return null;
  return (
    <ul className="mt-3 grid gap-1 rounded bg-sunken px-3 py-2 text-sm">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

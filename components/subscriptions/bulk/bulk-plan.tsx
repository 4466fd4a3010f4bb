"use client";

import { useTranslations } from "next-intl";
import { useMemo, useRef, useState, useTransition } from "react";
import { flushSync } from "react-dom";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import { LeaveFields } from "#components/forms/leave-fields.tsx";
import { useToPay } from "#components/values/to-pay.tsx";
import { useFormat, useScope, useSeller } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { amountsOwed, sumToPay } from "#lib/money/debt.ts";
import { isUnsaid, NOTHING_SAID, type Leaving } from "#lib/money/leave-reasons.ts";
import type { ToPay } from "#lib/format/format.ts";
import { translateMessage } from "#lib/i18n/message.ts";
import { startBulkRunAction } from "#lib/subscriptions/bulk/start-action.ts";
import { bulkRunPath } from "#lib/subscriptions/bulk/queries.ts";
import {
  bulkRunTitle,
  planChange,
  bulkChangeProblem,
  type BulkChange,
  type ItemPlan,
} from "#lib/subscriptions/bulk/rules.ts";
import { goodwillProblem } from "#lib/subscriptions/goodwill/rules.ts";
import type { SubscriptionClock, Operation } from "#lib/subscriptions/rules.ts";
import { BulkChangeFields, INITIAL_CHANGES } from "./bulk-aim.tsx";
import { type FreshRecords, ReadingProgress, useFreshRecords } from "./bulk-fresh-records.tsx";
import { BulkPlanList } from "./bulk-plan-list.tsx";
import { runsStartedHere } from "#components/forms/started-runs.ts";
import {
  DEFAULT_SETTLEMENT,
  OwedFields,
  readSettlement,
  type SettlementDraft,
} from "#components/subscriptions/record/owed-fields.tsx";

export interface PlannedItem {
  subscription_id: string;
  buyer: string;
  plan: Pick<ItemPlan, "verdict" | "message" | "day" | "target">;
  /** The subscription; null if it could not be read. */
  subscription: Subscription | null;
  /**
   * What is owed before the billing date is moved, in each currency; empty while unknown. Null if
   * nothing is owed, or the date is not moved.
   */
  owed: ToPay[] | null;
}

interface BulkPlanProps {
  operation: Operation;
  ids: readonly string[];
  onClose: () => void;
  /** @param path the run's page */
  onStarted: (path: string) => void;
  /** The run to undo, and the earlier dates of its subscriptions. */
  undo?: { run_id: string; old: Record<string, string | null> };
}

/** The dry run: shows what would happen to each subscription, and starts the run on request. */
export function BulkPlan({ operation, ids, onClose, onStarted, undo }: BulkPlanProps) {
  const t = useTranslations("bulk");
  const inAll = useTranslations();
  const clock = useSeller();
  const reading = useFreshRecords(ids);
  const [aim, setAim] = useState<BulkChange>(() =>
    undo && operation === "reschedule"
      ? { operation, to: "back", old: undo.old }
      : INITIAL_CHANGES[operation],
  );
  const problem = bulkChangeProblem(aim, clock);
  const [settlement, setSettlement] = useState(DEFAULT_SETTLEMENT);
  const [leaving, setLeaving] = useState(NOTHING_SAID);
  const isLacking = operation === "cancel" && clock.needs_leave_reason && isUnsaid(leaving);
  const [isTried, setTried] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const isRead = reading.isComplete && !reading.failure;
  const isPlanned = isRead && problem === null;
  const { records, missing } = reading;
  const toPay = useToPay();
  const items = useMemo(
    () => (isPlanned ? planItems(ids, { records, missing, toPay }, aim, clock) : []),
    [ids, records, missing, toPay, aim, clock, isPlanned],
  );
  const notice = useOwedNotice(items);
  return (
    <>
      {operation === "reschedule" && !undo && <BulkChangeFields aim={aim} onChange={setAim} />}
      {!isRead && <ReadingProgress reading={reading} total={ids.length} />}
      {isRead && problem !== null && (
        <p
          role="status"
          className="mt-4 rounded bg-sunken px-3 py-2 text-sm text-muted first:mt-0"
        >
          {t("problem.then", { problem: translateMessage(inAll, problem) })}
        </p>
      )}
      {isPlanned && <BulkPlanList operation={operation} items={items} />}
      {notice !== null && (
        <div ref={fields}>
          <OwedFields {...{ notice, settlement, setSettlement, isTried }} />
        </div>
      )}
      {operation === "cancel" && isPlanned && (
        <div ref={fields}>
          <LeaveFields {...{ leaving, setLeaving }} isLacking={isTried && isLacking} />
        </div>
      )}
      <Start
        {...{ aim, items, isLacking, onClose, onStarted }}
        undo_of={undo?.run_id ?? null}
        isReady={isRead}
        settlement={notice === null ? null : settlement}
        leaving={leaving}
        onIncomplete={() => {
          flushSync(() => setTried(true));
          fields.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
        }}
      />
    </>
  );
}

interface Known extends Pick<FreshRecords, "records" | "missing"> {
  toPay: ReturnType<typeof useToPay>;
}

function planItems(
  ids: readonly string[],
  { records, missing, toPay }: Known,
  aim: BulkChange,
  clock: SubscriptionClock,
): PlannedItem[] {
  return ids.map((subscription_id) => {
    const record = records.get(subscription_id);
    const subscription = record?.subscription ?? null;
    if (!record || subscription === null) {
      const message = missing.get(subscription_id) ?? null;
      const plan = { verdict: "refused", message, day: null, target: null } as const;
      return { subscription_id, buyer: "", plan, subscription, owed: null };
    }
    const { full_name, phone } = subscription.client;
    const plan = planChange(aim, subscription, clock);
    const isForgiven = plan.verdict === "change" && aim.operation === "reschedule";
    const isDue = subscription.status === "due";
    const to_pay = toPay?.(subscription.product);
    const owing = to_pay ? amountsOwed(subscription, to_pay, record.debt) : [];
    const owed = isForgiven && isDue ? owing : null;
    return { subscription_id, buyer: full_name || phone, plan, subscription, owed };
  });
}

/** A text about how many buyers owe how much; null if nothing is owed. */
function useOwedNotice(items: PlannedItem[]): string | null {
  const t = useTranslations("owed");
  const format = useFormat();
  const owing = items.flatMap(({ owed }) => (owed ? [owed] : []));
  if (owing.length === 0) return null;
  const isKnown = owing.every((owed) => owed.length > 0);
  const amount = isKnown ? format.sum(sumToPay(owing.flat())) : "…";
  return t("noticeMany", { count: owing.length, amount });
}

interface StartProps extends Pick<BulkPlanProps, "onClose" | "onStarted"> {
  aim: BulkChange;
  items: PlannedItem[];
  undo_of: string | null;
  isReady: boolean;
  settlement: SettlementDraft | null;
  leaving: Leaving;
  /** Whether a reason is needed and was not given. */
  isLacking: boolean;
  onIncomplete: () => void;
}

function Start(props: StartProps) {
  const { aim, items, undo_of, isReady, settlement, leaving, isLacking } = props;
  const { onIncomplete, onClose, onStarted } = props;
  const t = useTranslations("bulk");
  const scope = useScope();
  const { run, isPending, failure } = useSellerAction(startBulkRunAction);
  // The button stays disabled until the run's page opens, because a second click would start a
  // second run.
  const [isLeaving, startLeaving] = useTransition();
  const changing = items.filter(({ plan }) => plan.verdict === "change").length;

  async function start() {
    const isIncomplete = settlement && goodwillProblem(settlement) !== null;
    if (isLacking || isIncomplete) return onIncomplete();
    const read = items.flatMap(({ buyer, subscription }) =>
      subscription ? [{ ...recordOf(subscription), buyer: buyer.slice(0, 200) }] : [],
    );
    const started = await run({
      aim: toAsk(aim),
      items: read,
      undo_of,
      settlement: settlement && readSettlement(settlement),
      leaving,
    });
    if (!started) return;
    runsStartedHere.add(started.value.id);
    startLeaving(() => onStarted(bulkRunPath(scope, started.value.id)));
  }

  return (
    <>
      <div className="mt-4 empty:hidden">
        <FailureNotice failure={failure} />
      </div>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>
          {t(changing === 0 && isReady ? "plan.close" : "plan.leave")}
        </Button>
        {changing > 0 && (
          <Button
            look={aim.operation === "cancel" ? "danger" : "primary"}
            isPending={isPending || isLeaving}
            onClick={() => void start()}
          >
            {bulkRunTitle(t, aim.operation, changing)}
          </Button>
        )}
      </div>
    </>
  );
}

/** The input of the start action; it contains no old dates, because the server looks them up. */
const toAsk = (aim: BulkChange) =>
  aim.operation === "reschedule" && aim.to === "back"
    ? { operation: aim.operation, to: aim.to }
    : aim;

const recordOf = ({
  subscription_id,
  status,
  current_period_start,
  current_period_end,
  next_billing_cycle,
}: Subscription) => ({
  subscription_id,
  status,
  current_period_start,
  current_period_end,
  next_billing_cycle,
});

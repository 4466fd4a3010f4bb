"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useFormat, useSeller } from "#components/context/seller-context.tsx";
import { fieldError } from "#components/forms/use-action.tsx";
import { ArrowRight } from "#components/ui/icons.tsx";
import { useToPay } from "#components/values/to-pay.tsx";
import { Button } from "#components/ui/button.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { Checkbox, TextField } from "#components/ui/forms/fields.tsx";
import { isDay } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import { type Debt, amountsOwed } from "#lib/money/debt.ts";
import type { Translate } from "#lib/i18n/message.ts";
import { billingDay, billingDayChoices, describeMove } from "#lib/subscriptions/rules.ts";
import {
  EMPTY_GOODWILL,
  type GoodwillDraft,
  goodwillFromDraft,
  goodwillProblem,
} from "#lib/subscriptions/goodwill/rules.ts";
import { ReasonFields } from "#components/forms/reason-fields.tsx";
import { ChangeFailure } from "./change-notice.tsx";
import { DEFAULT_SETTLEMENT, OwedFields } from "./owed-fields.tsx";
import type { MovableSubscription } from "#components/values/move-date.ts";
import type { SubscriptionChange } from "./use-subscription-change.ts";

const FIELD = "next_billing_cycle";

interface RescheduleSubscriptionProps {
  subscription: MovableSubscription;
  change: SubscriptionChange;
  debt: Debt | null;
  isGoodwill?: boolean;
}

export function RescheduleSubscriptionDialog(props: RescheduleSubscriptionProps) {
  const { subscription, debt, change, isGoodwill = false } = props;
  const t = useTranslations("subscription");
  const tOfOwed = useTranslations("owed");
  const format = useFormat();
  const isDue = subscription.status === "due";
  const toPay = useToPay();
  const owed =
    isDue && toPay ? amountsOwed(subscription, toPay(subscription.product), debt) : null;
  const { time_zone, now } = useSeller();
  const today = dayInZone(now, time_zone);
  const current = billingDay(subscription, time_zone);
  const [day, setDay] = useState(current !== null && current >= today ? current : "");
  // Errors are shown only after an attempt, because a half-typed year would be in the past.
  const [isTried, setTried] = useState(false);
  const [goodwill, setGoodwill] = useState<GoodwillDraft | null>(
    isGoodwill ? EMPTY_GOODWILL : null,
  );
  const [settlement, setSettlement] = useState(DEFAULT_SETTLEMENT);
  const reason = isDue ? settlement : goodwill;
  const form = useRef<HTMLFormElement>(null);
  const problem = problemOf(t, day, today, current);

  function pick(picked: string) {
    setDay(picked);
    setTried(false);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (problem !== null || (reason && goodwillProblem(reason) !== null)) {
      // The errors must be rendered before the focus moves.
      flushSync(() => setTried(true));
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
      return;
    }
    const given = goodwillFromDraft(reason);
    change.request({
      operation: "reschedule",
      day,
      ...(given && { goodwill: given }),
      ...(isDue && { owed: settlement.owed }),
    });
  }

  return (
    <form ref={form} noValidate method="post" onSubmit={submit}>
      <ChangeFailure failure={change.failure} field={FIELD} />
      <TextField
        ref={initialFocus}
        id={FIELD}
        type="date"
        label={t("reschedule.label")}
        min={today}
        max="9999-12-31"
        value={day}
        onChange={(event) => pick(event.target.value)}
        hint={t("reschedule.hint", { zone: time_zone })}
        error={(isTried && problem) || fieldError(change.failure, FIELD)}
      />
      <Choices {...{ today, current, day, pick }} />
      {isDue ? (
        <OwedFields
          notice={tOfOwed("notice", {
            amount: owed ? format.toPay(...owed) : "…",
            date: format.date(debt?.since ?? current ?? today),
          })}
          {...{ settlement, setSettlement, isTried }}
        />
      ) : (
        <GoodwillFields {...{ goodwill, setGoodwill, isTried }} />
      )}
      <Preview status={subscription.status} {...{ current, day, today, problem }} />
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={change.close}>{t("reschedule.leave")}</Button>
        <Button type="submit" look="primary" isPending={change.isPending}>
          {t("reschedule.submit")}
        </Button>
      </div>
    </form>
  );
}

function problemOf(
  t: Translate<"subscription">,
  day: string,
  today: string,
  current: string | null,
): string | null {
  if (!isDay(day)) return t("reschedule.noDate");
  if (day < today) return t("reschedule.past");
  return day === current ? t("reschedule.same") : null;
}

interface ChoicesProps {
  today: string;
  current: string | null;
  day: string;
  pick: (day: string) => void;
}

function Choices({ today, current, day, pick }: ChoicesProps) {
  const t = useTranslations("subscription.reschedule");
  const format = useFormat();
  return (
    <div role="group" aria-label={t("choices")} className="mt-3 grid grid-cols-3 gap-2">
      {billingDayChoices(current, today).map((choice) => (
        <Button
          key={choice.name}
          aria-pressed={choice.day === day}
          onClick={() => pick(choice.day)}
          className="h-auto! flex-col gap-0! px-1! py-1.5 aria-pressed:border-accent aria-pressed:bg-accent-soft max-md:min-h-13"
        >
          {t(`choice.${choice.name}`)}
          <span className="text-xs font-normal text-muted tabular-nums">
            {format.date(choice.day)}
          </span>
        </Button>
      ))}
    </div>
  );
}

interface PreviewProps {
  status: string;
  current: string | null;
  day: string;
  today: string;
  problem: string | null;
}

function Preview({ status, current, day, today, problem }: PreviewProps) {
  const t = useTranslations("subscription");
  const format = useFormat();
  if (problem !== null)
    return (
      <p className="mt-4 rounded bg-sunken px-3 py-2 text-sm text-muted">
        {current === null
          ? t("reschedule.nowUndated")
          : t("reschedule.now", { date: format.date(current) })}
      </p>
    );
  return (
    <div aria-live="polite" className="mt-4 rounded bg-sunken px-3 py-2 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 font-medium tabular-nums">
        {t.rich("reschedule.fromTo", {
          from: current === null ? t("reschedule.undated") : format.date(current),
          to: format.date(day),
          arrow: () => <ArrowRight aria-hidden className="size-3.5 text-muted" />,
          more: (words) => <span className="sr-only">{words}</span>,
        })}
      </p>
      <ul className="mt-1 list-disc space-y-0.5 pl-4 text-muted">
        {current !== null && <li>{describeMove(t, current, day)}</li>}
        <li>{consequence(t, status, day === today)}</li>
        <li>{t("reschedule.nothingCharged")}</li>
      </ul>
    </div>
  );
}

/**
 * Describes what the specification says about the change; the service decides what a due
 * subscription becomes.
 */
function consequence(t: Translate<"subscription">, status: string, isToday: boolean): string {
  if (status === "due") return t("reschedule.due");
  return isToday ? t("reschedule.today") : t("reschedule.later");
}

interface GoodwillFieldsProps {
  /** The goodwill extension; null for an ordinary move. */
  goodwill: GoodwillDraft | null;
  setGoodwill: (goodwill: GoodwillDraft | null) => void;
  isTried: boolean;
}

function GoodwillFields({ goodwill, setGoodwill, isTried }: GoodwillFieldsProps) {
  const t = useTranslations("subscription.reschedule.goodwill");
  return (
    <fieldset className="mt-4 grid gap-3">
      <Checkbox
        checked={goodwill !== null}
        onChange={(event) => setGoodwill(event.target.checked ? EMPTY_GOODWILL : null)}
        label={t("label")}
        hint={t("hint")}
      />
      {goodwill && <ReasonFields {...{ goodwill, setGoodwill, isTried }} />}
    </fieldset>
  );
}

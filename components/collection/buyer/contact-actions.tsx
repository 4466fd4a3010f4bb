import { useTranslations } from "next-intl";
import { lazy, Suspense, useState } from "react";
import {
  CalendarHeart,
  HandCoins,
  type IconType,
  Moon,
  NotebookPen,
  UserRound,
} from "#components/ui/icons.tsx";
import { RecordPaymentButton } from "#components/forms/by-hand/record-payment.tsx";
import { useMoveDate } from "#components/values/move-date.ts";
import { useFormat, usePermission, useSeller } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Button } from "#components/ui/button.tsx";
import { KeyCaps } from "#components/ui/key-caps.tsx";
import { Menu, type MenuEntry } from "#components/ui/overlays/menu.tsx";
import { usePreload } from "#components/ui/overlays/popup.ts";
import { addDays } from "#lib/format/calendar.ts";
import type { QueueEntry } from "#lib/collection/queries.ts";
import type { ContactActions } from "#components/collection/state/use-contact-actions.ts";
import type { QueueState } from "#components/collection/state/use-queue.ts";
import { useToday } from "#components/collection/state/entry-status.tsx";

const loadDialog = () => import("./collection-dialogs.tsx");
const ContactDialog = lazy(async () => ({ default: (await loadDialog()).ContactDialog }));

interface ContactActionMenuProps {
  desk: QueueState;
  entry: QueueEntry;
  acts: ContactActions;
}

const DAYS = {
  promise: [0, 1, 3, 7],
  snooze: [1, 3, 7, 14],
} as const;

export function ContactActionMenu({ desk, entry, acts }: ContactActionMenuProps) {
  const t = useTranslations("collection.acts");
  const [open, setOpen] = useState<"note" | "promise" | "snooze" | null>(null);
  const today = useToday();
  usePreload(loadDialog);
  const { promised_for, snoozed_until } = entry.contacted;
  const mayRecord = usePermission("payments:record");
  return (
    <div role="group" aria-label={t("label")} className="flex flex-wrap gap-2">
      <DayMenu
        act="promise"
        icon={HandCoins}
        letter="p"
        chosen={promised_for}
        acts={acts}
        onOther={() => setOpen("promise")}
      />
      <DayMenu
        act="snooze"
        icon={Moon}
        letter="z"
        chosen={entry.status.turn === "snoozed" ? snoozed_until : null}
        acts={acts}
        onOther={() => setOpen("snooze")}
      />
      <AssignMenu {...{ desk, entry, acts }} />
      <Button aria-keyshortcuts="n" aria-haspopup="dialog" onClick={() => setOpen("note")}>
        <NotebookPen aria-hidden className="size-4" />
        {t("note.label")}
        <KeyCaps keys={["n"]} className="max-md:hidden" />
      </Button>
      <MoveDate entry={entry} />
      {mayRecord && (
        <RecordPaymentButton
          subscription_id={entry.subscription.subscription_id}
          to_pay={entry.to_pay}
        />
      )}
      {open !== null && (
        <Suspense fallback={<div className="scrim" />}>
          <ContactDialog act={open} onClose={() => setOpen(null)} acts={acts} today={today} />
        </Suspense>
      )}
    </div>
  );
}

/** Opens the subscription page's dialog for a goodwill extension. */
function MoveDate({
  entry: { subscription, status, contacted },
}: Pick<ContactActionMenuProps, "entry">) {
  const t = useTranslations("collection.acts");
  const moveDate = useMoveDate();
  // A first payment has no date to move.
  if (moveDate === null || status.group === "waiting") return null;
  return (
    <Button
      aria-haspopup="dialog"
      onClick={() => moveDate({ subscription, debt: contacted.debt })}
    >
      <CalendarHeart aria-hidden className="size-4" />
      {t("goodwill")}
    </Button>
  );
}

interface DayMenuProps {
  act: "promise" | "snooze";
  icon: IconType;
  letter: string;
  chosen: string | null;
  acts: ContactActions;
  onOther: () => void;
}

function DayMenu({ act, chosen, acts, onOther, ...button }: DayMenuProps) {
  const t = useTranslations("collection.acts");
  const format = useFormat();
  const today = useToday();
  const days = DAYS[act].map((count): MenuEntry => {
    const day = addDays(today, count);
    return {
      label: t("day", { count }),
      aside: format.dayOfMonth(day),
      current: day === chosen ? "true" : undefined,
      onSelect: () => void acts.pickDay(act, day, format.date(day)),
    };
  });
  const takeBack = {
    label: t(`${act}.takeBack`),
    onSelect: () => void acts.pickDay(act, null, ""),
  };
  return (
    <ActionMenu
      {...{ act, ...button }}
      isPending={acts.isPending}
      entries={[
        ...days,
        { label: t("otherDay"), onSelect: onOther, isApart: true },
        ...(chosen === null ? [] : [{ ...takeBack, isApart: true }]),
      ]}
    />
  );
}

function AssignMenu({ desk, entry, acts }: ContactActionMenuProps) {
  const t = useTranslations("collection.acts");
  const { person } = useSeller();
  const assigned = entry.contacted.assigned?.id ?? null;
  const team = desk.setting?.team ?? [];
  if (team.length === 0) return null;
  const members = [
    ...team.filter(({ id }) => id === person),
    ...team.filter(({ id }) => id !== person),
  ].map(({ id, name }): MenuEntry => ({
    label: id === person ? t("assign.me", { name }) : name,
    current: id === assigned ? "true" : undefined,
    onSelect: () => void acts.assign(id, name),
  }));
  const unassign = { label: t("assign.nobody"), onSelect: () => void acts.assign(null, "") };
  return (
    <ActionMenu
      act="assign"
      icon={UserRound}
      letter="a"
      isPending={acts.isPending}
      entries={[...members, ...(assigned === null ? [] : [{ ...unassign, isApart: true }])]}
    />
  );
}

interface ActionMenuProps {
  act: "promise" | "snooze" | "assign";
  icon: IconType;
  letter: string;
  isPending: boolean;
  entries: MenuEntry[];
}

function ActionMenu({ act, icon: Icon, letter, isPending, entries }: ActionMenuProps) {
  const t = useTranslations("collection.acts");
  return (
    <Menu
      label={t(`${act}.menu`)}
      entries={entries}
      trigger={(props) => (
        <button
          type="button"
          aria-keyshortcuts={letter}
          className={buttonClass()}
          {...props}
          disabled={props.disabled || isPending}
        >
          <Icon aria-hidden className="size-4" />
          {t(`${act}.label`)}
          <KeyCaps keys={[letter]} className="max-md:hidden" />
        </button>
      )}
    />
  );
}

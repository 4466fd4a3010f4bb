import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { UNANSWERED_RESULT, useScopedAction } from "#components/forms/use-action.tsx";
import { REMINDER_REFUSALS, REMINDER_WITHDRAWALS } from "#contract/field-messages.ts";
import { describeFailure, type FailureText } from "#lib/failure.ts";
import {
  holdReminderAction,
  releaseReminderAction,
  sendReminderAction,
} from "#lib/reminders/actions.ts";
import { plannedKey, type PlannedReminder } from "#lib/messages/schedule/queries.ts";

type Kind = "hold" | "release" | "send";

const idOf = (kind: Kind, { step_id, subscription_id }: PlannedReminder) =>
  `${kind === "send" ? kind : "hold"} ${step_id} ${subscription_id}`;

/** Holds and sends today's reminders, one at a time, and reads the list again after each. */
export function usePlannedActions() {
  const t = useTranslations("reminders.today");
  const inAll = useTranslations();
  const queryClient = useQueryClient();
  const queryKey = plannedKey(useScope());
  const reasonOf = useReminderRefusal();
  const hold = useScopedAction(holdReminderAction);
  const release = useScopedAction(releaseReminderAction);
  const send = useScopedAction(sendReminderAction);
  const [pending, setPending] = useState<string | null>(null);
  const [said, setSaid] = useState("");
  const [failed, setFailed] = useState<FailureText | null>(null);

  async function act(kind: Kind, row: PlannedReminder) {
    if (pending !== null) return;
    const { subscription_id, step_id, hold_id } = row;
    const name = row.full_name || row.to;
    setPending(idOf(kind, row));
    setFailed(null);
    setSaid("");
    const calls = {
      hold: () => hold({ subscription_id, step_id }),
      release: () => release({ subscription_id, hold_id: hold_id ?? 0 }),
      send: () => send({ subscription_id, step_id }),
    };
    const result = await calls[kind]().catch(() => UNANSWERED_RESULT);
    // Also after a failure, because the change may have been made and only its answer lost.
    await queryClient.invalidateQueries({ queryKey });
    setPending(null);
    if (result.ok) return setSaid(t(`done.${kind}`, { name }));
    const { title, advice } = describeFailure(inAll, result.failure, "write");
    setFailed({ title: `${t(`failed.${kind}`, { name })} ${reasonOf(title)}`, advice });
  }

  return {
    act,
    said,
    failed,
    isPending: (kind: Kind, row: PlannedReminder) => pending === idOf(kind, row),
  };
}

export type PlannedActions = ReturnType<typeof usePlannedActions>;

const WORDS = { ...REMINDER_WITHDRAWALS, ...REMINDER_REFUSALS };
const REFUSALS = Object.entries(WORDS) as [keyof typeof WORDS, string][];

/**
 * @returns a function that translates why a reminder cannot be sent now, and leaves other texts as they are
 */
function useReminderRefusal(): (text: string) => string {
  const t = useTranslations("reminders");
  return (text) => {
    const [name] = REFUSALS.find(([, words]) => words === text) ?? [];
    return name ? t(`reason.${name}`) : text;
  };
}

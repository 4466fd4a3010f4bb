import { useTranslations } from "next-intl";
import { useState, type RefObject } from "react";
import {
  type ActionResult,
  UNANSWERED_RESULT,
  useScopedAction,
} from "#components/forms/use-action.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { describeFailure, type Failure } from "#lib/failure.ts";
import {
  assignAction,
  noteBuyerAction,
  promiseAction,
  remindAction,
  snoozeAction,
} from "#lib/collection/actions.ts";
import type { ContactResult, QueueEntry } from "#lib/collection/queries.ts";
import type { OutreachOutcome } from "#lib/collection/outreach.ts";
import type { Channel, Contact } from "#lib/collection/rules.ts";
import type { QueueState } from "./use-queue.ts";
import { useBuyerName } from "./entry-status.tsx";

type Result = ActionResult<ContactResult>;

interface Reminding {
  language?: string | null;
  /** Id of the last contact the user saw, to detect newer ones. */
  seen: string | null;
  stays?: boolean;
  /** The opened URL, to open it again. */
  again?: string;
}

/** Whether the element that would show the result is still visible. */
type IsShown = () => boolean;

/**
 * The actions on one buyer. Each is stored, then announced; after some, the next buyer opens.
 * @param card the buyer's card, which is hidden once the user goes on
 */
export function useContactActions(
  desk: QueueState,
  entry: QueueEntry,
  card: RefObject<HTMLElement | null>,
) {
  const t = useTranslations("collection");
  const inAll = useTranslations();
  const isInSight: IsShown = () => card.current?.checkVisibility() ?? false;
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isPending, setPending] = useState(false);
  /** A colleague's newer contact. */
  const [overtaken, setOvertaken] = useState<Contact | null>(null);
  const remind = useScopedAction(remindAction);
  const note = useScopedAction(noteBuyerAction);
  const promise = useScopedAction(promiseAction);
  const snooze = useScopedAction(snoozeAction);
  const assign = useScopedAction(assignAction);
  const { subscription_id } = entry.subscription;
  const name = useBuyerName()(entry);

  interface Saying {
    /** The action's name in a failure message. */
    act: string;
    said: string;
    /** The outcome of the buyer, after which the next one opens; null to stay. */
    outcome: OutreachOutcome | null;
    again?: string | undefined;
    isShown?: IsShown | undefined;
  }

  async function act(call: () => Promise<Result>, saying: Saying): Promise<Result | null> {
    if (isPending) return null;
    setPending(true);
    setFailure(null);
    const result = await call().catch(() => UNANSWERED_RESULT);
    setPending(false);
    if (result.ok) take(result.value, saying);
    else if (!(saying.isShown ?? isInSight)())
      tellLate(saying, describeFailure(inAll, result.failure, "write").title);
    return result;
  }

  /** Shows a failure in a toast, for users who no longer see this buyer's card. */
  function tellLate({ act: of }: Saying, problem: string) {
    showToast({ text: t("said.failed", { name, act: of, problem }), isFailure: true });
  }

  function take(acted: ContactResult, saying: Saying) {
    const { said, outcome, again } = saying;
    void desk.take(subscription_id, acted.contacted);
    setOvertaken(acted.state === "overtaken" ? acted.last : null);
    if (acted.state === "overtaken") {
      const person = acted.last.person_name;
      if (!isInSight()) tellLate(saying, t("said.overtaken", { person }));
      return;
    }
    const follows = outcome === null ? "next" : desk.openNext(subscription_id, outcome);
    const text = [
      said,
      ...(acted.is_hold_waiting ? [t("said.holdWaits")] : []),
      ...(follows === "next" ? [] : [t(`said.${follows}`)]),
    ].join(" ");
    desk.setSaid({ text, contact: acted.contact, subscription_id, again });
  }

  /**
   * Waits for an action. @returns whether the contact was stored; a failure is shown beside the message
   */
  async function tried(asked: Promise<Result | null>): Promise<boolean> {
    const result = await asked;
    if (result && !result.ok) setFailure(result.failure);
    return result?.ok === true && result.value.state === "kept";
  }

  /** @param day null to remove the promise or snooze */
  const setDay = (
    kind: "promise" | "snooze",
    day: string | null,
    shown: string,
    isShown?: IsShown,
  ) =>
    act(
      () =>
        kind === "promise"
          ? promise({ subscription_id, promised_for: day })
          : snooze({ subscription_id, snoozed_until: day }),
      {
        act: t(`acts.${kind}.label`),
        isShown,
        said:
          day === null
            ? t(kind === "promise" ? "said.noPromise" : "said.awake", { name })
            : t(`said.${kind}`, { name, day: shown }),
        outcome: day === null ? null : "noted",
      },
    );

  return {
    failure,
    isPending,
    overtaken,
    remind: (channel: Channel, { language = null, seen, stays = false, again }: Reminding) =>
      tried(
        act(() => remind({ subscription_id, channel, language, seen }), {
          act: t(`channel.${channel}`),
          said: t(`said.${channel}`, { name }),
          outcome: stays ? null : "written",
          again,
        }),
      ),
    /** Shows the text to copy, if the contact was stored and copying failed afterwards. */
    tellUncopied: (uncopied: string) =>
      desk.setSaid(
        (said) => said && { ...said, text: t("said.notCopied", { name }), uncopied },
      ),
    /** Stores a note; its failure repeats the text if the dialog is closed by then. */
    note: async (text: string, isShown: IsShown): Promise<Result> =>
      (await act(() => note({ subscription_id, text }), {
        act: t("said.ofNote", { text }),
        said: t("said.note", { name }),
        outcome: null,
        isShown,
      })) ?? UNANSWERED_RESULT,
    pickDay: (kind: "promise" | "snooze", day: string | null, shown: string) =>
      tried(setDay(kind, day, shown)),
    saveDay: async (...change: Parameters<typeof setDay>) =>
      (await setDay(...change)) ?? UNANSWERED_RESULT,
    assign: (person_id: string | null, person: string) =>
      tried(
        act(() => assign({ subscription_id, person_id }), {
          act: t("acts.assign.label"),
          said:
            person_id === null
              ? t("said.unassigned", { name })
              : t("said.assigned", { name, person }),
          outcome: null,
        }),
      ),
  };
}

export type ContactActions = ReturnType<typeof useContactActions>;

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useScopedAction } from "#components/layout/use-action.ts";
import type { Failure } from "#lib/billing/errors.ts";
import {
  assignAction,
  noteBuyerAction,
  promiseAction,
  remindAction,
  snoozeAction,
  undoContactAction,
} from "#lib/collection/actions.ts";
import type { Acted, DeskEntry } from "#lib/collection/queries.ts";
import type { Channel, Contact } from "#lib/collection/rules.ts";
import type { Language } from "#lib/i18n/languages.ts";
import type { Desk } from "./use-desk.ts";

type Result<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

const UNANSWERED = { ok: false, failure: { kind: "unanswered" } } as const;

/** What can be done about one buyer. Each writes down first, says so, and opens the next one where it is done with. */
export function useActs(desk: Desk, entry: DeskEntry) {
  const t = useTranslations("collection");
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isPending, setPending] = useState(false);
  /** What a colleague did meanwhile. */
  const [overtaken, setOvertaken] = useState<Contact | null>(null);
  const remind = useScopedAction(remindAction);
  const note = useScopedAction(noteBuyerAction);
  const promise = useScopedAction(promiseAction);
  const snooze = useScopedAction(snoozeAction);
  const assign = useScopedAction(assignAction);
  const { subscription_id, client } = entry.subscription;
  const name = client.full_name || client.phone || t("nameless");

  interface Saying {
    said: string;
    /** The next one opens. */
    isDone: boolean;
  }

  async function act(
    call: () => Promise<Result<Acted>>,
    saying: Saying,
  ): Promise<Result<Acted> | null> {
    if (isPending) return null;
    setPending(true);
    setFailure(null);
    const result = await call().catch(() => UNANSWERED);
    setPending(false);
    if (result.ok) take(result.value, saying);
    return result;
  }

  function take(acted: Acted, { said, isDone }: Saying) {
    void desk.take(subscription_id, acted.contacted);
    setOvertaken(acted.state === "overtaken" ? acted.last : null);
    if (acted.state === "overtaken") return;
    const next = isDone ? desk.openNext(subscription_id) : subscription_id;
    const text = next === null ? `${said} ${t("said.allDone")}` : said;
    desk.setSaid({ text, contact: acted.contact, subscription_id });
  }

  /** Whether it was written down; what stood in the way is shown beside the message. */
  async function tried(asked: Promise<Result<Acted> | null>): Promise<boolean> {
    const result = await asked;
    if (result && !result.ok) setFailure(result.failure);
    return result?.ok === true && result.value.state === "kept";
  }

  const promiseOn = (day: string | null, shown: string) =>
    act(() => promise({ subscription_id, promised_for: day }), {
      said:
        day === null ? t("said.noPromise", { name }) : t("said.promise", { name, day: shown }),
      isDone: day !== null,
    });
  const snoozeUntil = (day: string | null, shown: string) =>
    act(() => snooze({ subscription_id, snoozed_until: day }), {
      said: day === null ? t("said.awake", { name }) : t("said.snooze", { name, day: shown }),
      isDone: day !== null,
    });

  return {
    failure,
    isPending,
    overtaken,
    /** @param seen what was seen of the last contact, so that a newer one is told */
    remind: (channel: Channel, language: Language | null, seen: string | null, isDone = true) =>
      tried(
        act(() => remind({ subscription_id, channel, language, seen }), {
          said: t(`said.${channel}`, { name }),
          isDone,
        }),
      ),
    note: async (text: string): Promise<Result<Acted>> =>
      (await act(() => note({ subscription_id, text }), {
        said: t("said.note", { name }),
        isDone: false,
      })) ?? UNANSWERED,
    promise: (day: string | null, shown: string) => tried(promiseOn(day, shown)),
    promiseOn: async (day: string, shown: string) =>
      (await promiseOn(day, shown)) ?? UNANSWERED,
    snooze: (day: string | null, shown: string) => tried(snoozeUntil(day, shown)),
    snoozeUntil: async (day: string, shown: string) =>
      (await snoozeUntil(day, shown)) ?? UNANSWERED,
    assign: (person_id: string | null, person: string) =>
      tried(
        act(() => assign({ subscription_id, person_id }), {
          said:
            person_id === null
              ? t("said.unassigned", { name })
              : t("said.assigned", { name, person }),
          isDone: false,
        }),
      ),
  };
}

export type Acts = ReturnType<typeof useActs>;

/** Takes back what was done last, and opens its buyer again. */
export function useUndo(desk: Desk) {
  const t = useTranslations("collection");
  const undo = useScopedAction(undoContactAction);
  const { said } = desk;
  return async () => {
    if (!said?.contact) return;
    const { subscription_id } = said;
    // Nobody presses it twice.
    desk.setSaid({ text: t("said.undoing"), contact: null, subscription_id });
    const result = await undo({ id: said.contact.id }).catch(() => UNANSWERED);
    const text = t(result.ok ? "said.undone" : "said.notUndone");
    desk.setSaid({ text, contact: result.ok ? null : said.contact, subscription_id });
    if (!result.ok) return;
    desk.open(subscription_id);
    await desk.renew();
  };
}

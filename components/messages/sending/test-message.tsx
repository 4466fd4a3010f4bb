import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ActionForm } from "#components/forms/action-dialog.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.tsx";
import { ScopedLink, useFormat, useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { Dialog, initialFocus } from "#components/ui/overlays/dialog.tsx";
import type { SentMessage } from "#contract/messages.ts";
import type { SendingChannel } from "#contract/names.ts";
import { sendTestMessageAction } from "#lib/messages/sending/actions.ts";
import { messagesQuery } from "#lib/messages/sending/queries.ts";
import { messageQueryString, SENT_MESSAGES } from "#lib/messages/sending/search.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { MessageStateBadge, useStateMeaning } from "#components/values/message-words.tsx";

/** Sends a test message to a number or address, and shows its result. */
export function TestButton({ channel }: { channel: SendingChannel }) {
  const t = useTranslations("sending.try");
  const name = useTranslations("sending.channel")(channel);
  const router = useRouter();
  const send = useScopedAction(sendTestMessageAction);
  const [isOpen, setOpen] = useState(false);
  const [sent, setSent] = useState<SentMessage | null>(null);
  const isMail = channel === "email";

  function close() {
    setOpen(false);
    // The test may have added a problem to the channel's card, or removed one.
    if (sent) router.refresh();
    setSent(null);
  }

  return (
    <>
      <Button
        aria-haspopup="dialog"
        aria-label={t("of", { channel: name })}
        onClick={() => setOpen(true)}
      >
        {t("label")}
      </Button>
      <Dialog keepsWords title={t("title", { channel: name })} isOpen={isOpen} onClose={close}>
        {sent ? (
          <Progress sent={sent} onAgain={() => setSent(null)} onDone={close} />
        ) : (
          <ActionForm
            noValidate
            label={t("submit")}
            action={send}
            read={(form) => ({ channel, to: fieldText(form, "to") })}
            onDone={setSent}
            onClose={close}
          >
            {(error) => (
              <TextField
                ref={initialFocus}
                id="test-to"
                name="to"
                label={t(isMail ? "address" : "number")}
                hint={isMail ? undefined : t("numberHint")}
                type={isMail ? "email" : "tel"}
                autoComplete="off"
                error={error("to")}
              />
            )}
          </ActionForm>
        )}
      </Dialog>
    </>
  );
}

const LOOK_MS = 1_500;
/** Milliseconds to wait for a delivery report; the list of messages shows later ones. */
const LONGEST_MS = 45_000;

const PASSING: ReadonlySet<string> = new Set(["queued", "sending", "accepted"]);

interface ProgressProps {
  sent: SentMessage;
  onAgain: () => void;
  onDone: () => void;
}

function Progress({ sent, onAgain, onDone }: ProgressProps) {
  const t = useTranslations("sending.try");
  const format = useFormat();
  const meaningOf = useStateMeaning();
  const [since] = useState(() => Date.now());
  const { data } = useQuery({
    ...messagesQuery(useScope(), { kind: "test" }),
    staleTime: 0,
    refetchInterval: (asked) => {
      const found = asked.state.data?.messages.find(({ id }) => id === sent.id) ?? sent;
      const isWatched = isPassing(found) && Date.now() - since < LONGEST_MS;
      return refetchEvery(isWatched && LOOK_MS)(asked);
    },
  });
  const message = data?.messages.find(({ id }) => id === sent.id) ?? sent;
  const waits = message.state === "queued" && message.error !== null && message.due_at;
  return (
    <div className="grid gap-4">
      <div role="status" className="grid gap-2">
        <p>
          <MessageStateBadge state={message.state} />
        </p>
        <p>{message.error ?? meaningOf(message.state)}</p>
        {waits && <p className="text-muted">{t("waits", { time: format.time(waits) })}</p>}
      </div>
      <ScopedLink
        href={`${SENT_MESSAGES}${messageQueryString({ kind: "test" })}`}
        className="link justify-self-start"
      >
        {t("list")}
      </ScopedLink>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onAgain}>{t("again")}</Button>
        <Button ref={initialFocus} look="primary" onClick={onDone}>
          {t("done")}
        </Button>
      </div>
    </div>
  );
}

const isPassing = ({ state, queued_at, due_at }: SentMessage): boolean =>
  PASSING.has(state) &&
  (due_at === null || Date.parse(due_at) - Date.parse(queued_at) < LONGEST_MS);

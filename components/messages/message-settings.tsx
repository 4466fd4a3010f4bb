import { useTranslations } from "next-intl";
import { MESSAGE_KINDS, type Messages } from "#lib/messages/rules.ts";
import { MessageForm } from "./message-form.tsx";

/** The seller's own words for messages; each can still be changed before it is sent. */
export function MessageSettings({ messages }: { messages: Messages }) {
  const t = useTranslations("messages");
  return (
    <div className="grid max-w-5xl gap-4">
      <p className="max-w-2xl text-muted">{t("intro")}</p>
      {MESSAGE_KINDS.map((kind) => (
        <MessageForm key={kind} kind={kind} saved={messages[kind]} />
      ))}
    </div>
  );
}

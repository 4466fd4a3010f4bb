import { useTranslations } from "next-intl";
import { ScopedLink } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { MessageSquareText, Unplug } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import type { SendingAbsence } from "#lib/messages/sending/rules.ts";

/** Why the service sends no messages for this seller, as far as Duebook can arrange it. */
export function SendingAbsencePanel({ absence }: { absence: SendingAbsence }) {
  const t = useTranslations("sending");
  const isElsewhere = absence === "elsewhere";
  return (
    <StatePanel
      icon={isElsewhere ? MessageSquareText : Unplug}
      title={t(isElsewhere ? "elsewhere.title" : "notOffered.title")}
      text={t(isElsewhere ? "elsewhere.text" : "notOffered.text")}
      action={
        <ScopedLink href="/collection" className={buttonClass()}>
          {t("elsewhere.action")}
        </ScopedLink>
      }
    />
  );
}

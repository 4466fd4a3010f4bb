import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { ExternalLink, Undo2 } from "#components/ui/icons.tsx";
import { KeyCaps } from "#components/ui/key-caps.tsx";
import { cn } from "#lib/cn.ts";
import { isWebUrl } from "#components/collection/state/open-app.ts";
import { UNANSWERED_RESULT, useScopedAction } from "#components/forms/use-action.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { plannedQuery } from "#lib/messages/schedule/queries.ts";
import { undoContactAction } from "#lib/collection/actions.ts";
import type { QueueState } from "#components/collection/state/use-queue.ts";

export function LastActionNotice({ desk }: { desk: QueueState }) {
  const t = useTranslations("collection.said");
  const undo = useUndo(desk);
  const { said } = desk;
  const { data: planned } = useQuery(plannedQuery(useScope()));
  const isSending = planned?.is_offered === true && planned.is_on;
  const words = [
    t("ownApps"),
    ...(planned ? [t(isSending ? "scheduleSends" : "nothingSent")] : []),
  ].join(" ");
  return (
    <div
      className={cn(
        "flex flex-wrap items-center gap-x-3 gap-y-1 text-sm md:mb-3 md:min-h-8",
        said && "max-md:mb-3 max-md:min-h-11",
      )}
    >
      {/* Always rendered, because live regions that are added later are not read out. */}
      <p role="status" className={cn("mr-auto min-w-0 text-muted", !said && "max-md:sr-only")}>
        {said?.text ?? words}
      </p>
      {said?.uncopied && (
        <input
          readOnly
          aria-label={t("uncopied")}
          value={said.uncopied}
          onFocus={({ currentTarget }) => currentTarget.select()}
          className="input h-auto max-md:min-h-0"
        />
      )}
      {said?.again && (
        <a
          href={said.again}
          target={isWebUrl(said.again) ? "_blank" : undefined}
          rel="noreferrer"
          className={buttonClass("quiet")}
        >
          <ExternalLink aria-hidden className="size-4" />
          {t("openAgain")}
        </a>
      )}
      {said?.contact && (
        <Button look="quiet" aria-keyshortcuts="u" onClick={() => void undo()}>
          <Undo2 aria-hidden className="size-4" />
          {t("undo")}
          <KeyCaps keys={["u"]} className="max-md:hidden" />
        </Button>
      )}
    </div>
  );
}

/** Undoes the last action and reopens its buyer, unless the user went on. */
function useUndo(desk: QueueState) {
  const t = useTranslations("collection");
  const undo = useScopedAction(undoContactAction);
  const { said } = desk;
  return async () => {
    if (!said?.contact) return;
    const { subscription_id } = said;
    const stood = desk.openNow();
    // Replaces the undo button, so that it cannot be pressed twice.
    const undoing = { text: t("said.undoing"), contact: null, subscription_id };
    desk.setSaid(undoing);
    const result = await undo({ id: said.contact.id }).catch(() => UNANSWERED_RESULT);
    const done = t(result.ok ? "said.undone" : "said.notUndone");
    const isWaiting = result.ok && result.value.is_hold_waiting;
    const text = isWaiting ? `${done} ${t("said.holdWaits")}` : done;
    const told = { text, contact: result.ok ? null : said.contact, subscription_id };
    // If a newer action is shown by now, it stays and can be undone.
    if (desk.saidNow() === undoing) desk.setSaid(told);
    else showToast({ text: `${said.text} ${text}`, isFailure: !result.ok });
    if (!result.ok) return;
    const { contacted } = result.value;
    // Without this, the buyer would still be shown as contacted.
    const renewed = contacted ? desk.take(subscription_id, contacted) : desk.renew();
    if (desk.openNow() === stood) desk.reopen(subscription_id);
    else desk.outreach.putBack(subscription_id);
    await renewed;
  };
}

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ActionDialog } from "#components/forms/action-dialog.tsx";
import { usePermission } from "#components/context/seller-context.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.ts";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { TextField } from "#components/ui/forms/text-field.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { setGraceAction } from "#lib/collection/actions.ts";
import type { QueueState } from "./use-queue.ts";

/** How long an unpaid subscription goes on: the service does not tell it. */
export function GraceNote({ desk }: { desk: QueueState }) {
  const t = useTranslations("collection.grace");
  const maySet = usePermission("seller:write");
  const isHydrated = useHydrated();
  const [isOpen, setOpen] = useState(false);
  const set = useScopedAction(setGraceAction);
  const grace = desk.setting?.grace;
  if (!grace) return null;
  const words =
    grace.set !== null
      ? t("set", { count: grace.set })
      : grace.guess !== null
        ? t("guess", { count: grace.guess })
        : t("unknown");
  return (
    <p className="mt-1 text-xs text-pretty text-muted">
      {words}{" "}
      {maySet && (
        <button
          type="button"
          disabled={!isHydrated}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className="rounded font-medium underline underline-offset-2 hover:text-ink"
        >
          {t("change")}
        </button>
      )}
      <ActionDialog
        noValidate
        title={t("title")}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        label={t("save")}
        action={set}
        read={(form) => {
          const text = fieldText(form, "days").trim();
          return { days: text === "" ? null : Number(text) };
        }}
        onDone={() => {
          setOpen(false);
          void desk.renew();
        }}
      >
        {(error) => (
          <TextField
            ref={initialFocus}
            id="days"
            name="days"
            type="number"
            min={0}
            max={90}
            label={t("field")}
            hint={t("hint")}
            defaultValue={grace.set ?? ""}
            error={error("days") && t("invalid")}
          />
        )}
      </ActionDialog>
    </p>
  );
}

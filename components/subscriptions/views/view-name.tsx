import { useTranslations } from "next-intl";
import { useId, useState, type KeyboardEvent, type SubmitEvent } from "react";
import { fieldText, useSellerAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button.tsx";
import { FieldError } from "#components/ui/forms/field-frame.tsx";
import { CONTROL } from "#components/ui/forms/text-field.tsx";
import { describeFailure } from "#lib/failure.ts";
import { cn } from "#lib/cn.ts";
import { updateViewAction } from "#lib/subscriptions/views/actions.ts";
import { LONGEST_VIEW_NAME, type View } from "#lib/subscriptions/views/rules.ts";
import { useRenewedViews } from "./use-view-changes.ts";

/** Renames in place: Enter saves, Escape cancels. */
export function ViewName({ view, onClose }: { view: View; onClose: () => void }) {
  const t = useTranslations("views");
  const tAll = useTranslations();
  const errorId = useId();
  const { run, isPending, failure } = useSellerAction(updateViewAction);
  const [isRenewing, setRenewing] = useState(false);
  const renew = useRenewedViews();
  const problem =
    failure?.kind === "validation"
      ? Object.values(failure.fields).flat().join(" ")
      : failure && describeFailure(tAll, failure, "write").title;

  async function keep(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = fieldText(event.currentTarget, "name");
    if (name.trim() === view.name) return onClose();
    if (!(await run({ id: view.id, name }))) return;
    setRenewing(true);
    await renew();
    onClose();
  }

  function press(event: KeyboardEvent) {
    if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    onClose();
  }

  return (
    <form method="post" onSubmit={(event) => void keep(event)}>
      <div className="flex flex-wrap items-center gap-2">
        <input
          autoFocus
          name="name"
          aria-label={t("renameLabel", { name: view.name })}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? errorId : undefined}
          autoComplete="off"
          maxLength={LONGEST_VIEW_NAME}
          defaultValue={view.name}
          onKeyDown={press}
          onFocus={(event) => event.target.select()}
          className={cn(CONTROL, "h-8 w-64 max-w-full max-md:h-11")}
        />
        <Button type="submit" look="primary" isPending={isPending || isRenewing}>
          {t("keep")}
        </Button>
        <Button onClick={onClose}>{t("cancel")}</Button>
      </div>
      <div role="alert">{problem && <FieldError id={errorId}>{problem}</FieldError>}</div>
    </form>
  );
}

import { useTranslations } from "next-intl";
import { type KeyboardEvent, type SubmitEvent, useId, useRef, useState } from "react";
import { usePermission } from "#components/context/seller-context.tsx";
import { useViewCounts, ViewLink } from "#components/list/saved-views.tsx";
import { Button } from "#components/ui/button.tsx";
import {
  ArrowDown,
  ArrowUp,
  Pencil,
  Trash2,
  UserRound,
  UsersRound,
} from "#components/ui/icons.tsx";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { MAX_VIEW_NAME_LENGTH, type View } from "#lib/subscriptions/views/rules.ts";
import { ToolButton } from "#components/ui/button.tsx";
import { useDescribeView } from "#components/subscriptions/use-chip-words.ts";
import { fieldText, useSellerAction } from "#components/forms/use-action.tsx";
import { FieldError } from "#components/ui/forms/fields.tsx";
import { describeFailure } from "#lib/failure.ts";
import { updateViewAction } from "#lib/subscriptions/views/actions.ts";
import { useRefetchViews, useViewChanges } from "./use-view-changes.ts";

interface ViewRowProps {
  view: View;
  mayChange: boolean;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: -1 | 1) => void;
}

export function ViewRow({ view, mayChange, ...place }: ViewRowProps) {
  const [isNaming, setNaming] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const describe = useDescribeView(parseSubscriptionSearch(new URLSearchParams(view.query)));
  const countOf = useViewCounts(false);

  function stopNaming() {
    setNaming(false);
    pencil.current?.focus();
  }

  return (
    <li
      data-row={view.id}
      className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2"
    >
      <div className="min-w-0 flex-1 basis-56">
        {isNaming ? (
          <ViewName view={view} onClose={stopNaming} />
        ) : (
          <div className="flex items-baseline gap-3">
            <ViewLink view={view} className="min-w-0 font-medium break-words hover:underline">
              {view.name}
            </ViewLink>
            <span className="shrink-0 text-sm text-muted tabular-nums">{countOf(view.id)}</span>
          </div>
        )}
        <span className="block text-sm break-words text-muted">
          {describe(view.words).join(" · ")}
        </span>
      </div>
      {mayChange && <Tools {...{ view, ...place, pencil }} onRename={() => setNaming(true)} />}
    </li>
  );
}

interface ToolsProps extends Omit<ViewRowProps, "mayChange"> {
  pencil: React.RefObject<HTMLButtonElement | null>;
  onRename: () => void;
}

function Tools({ view, isFirst, isLast, onMove, onRename, pencil }: ToolsProps) {
  const t = useTranslations("views");
  const mayShare = usePermission("views:share");
  const { remove, share } = useViewChanges();
  const { name, is_shared } = view;
  return (
    <div className="flex max-md:-ml-3">
      <ToolButton label={t("up", { name })} isOff={isFirst} onClick={() => onMove(-1)}>
        <ArrowUp aria-hidden className="size-4" />
      </ToolButton>
      <ToolButton label={t("down", { name })} isOff={isLast} onClick={() => onMove(1)}>
        <ArrowDown aria-hidden className="size-4" />
      </ToolButton>
      <ToolButton ref={pencil} label={t("rename", { name })} onClick={onRename}>
        <Pencil aria-hidden className="size-4" />
      </ToolButton>
      {mayShare && (
        <ToolButton
          label={t(is_shared ? "unshare" : "share", { name })}
          onClick={() => void share(view, !is_shared)}
        >
          {is_shared ? (
            <UserRound aria-hidden className="size-4" />
          ) : (
            <UsersRound aria-hidden className="size-4" />
          )}
        </ToolButton>
      )}
      <ToolButton label={t("remove", { name })} onClick={() => void remove(view)}>
        <Trash2 aria-hidden className="size-4" />
      </ToolButton>
    </div>
  );
}

/** Renames in place: Enter saves, Escape cancels. */
function ViewName({ view, onClose }: { view: View; onClose: () => void }) {
  const t = useTranslations("views");
  const tAll = useTranslations();
  const errorId = useId();
  const { run, isPending, failure } = useSellerAction(updateViewAction);
  const [isRenewing, setRenewing] = useState(false);
  const renew = useRefetchViews();
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
          maxLength={MAX_VIEW_NAME_LENGTH}
          defaultValue={view.name}
          onKeyDown={press}
          onFocus={(event) => event.target.select()}
          className="input h-8"
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

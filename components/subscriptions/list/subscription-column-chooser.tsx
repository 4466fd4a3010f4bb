import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { FailureNotice, useAction } from "#components/forms/use-action.tsx";
import { ToolButton } from "#components/ui/button.tsx";
import { Button } from "#components/ui/button.tsx";
import { ArrowDown, ArrowUp } from "#components/ui/icons.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import {
  arrangeColumns,
  isDefault,
  MAIN_COLUMN,
  moveColumn,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionColumn,
} from "#lib/subscriptions/columns.ts";
import { columnsQuery } from "#lib/subscriptions/queries.ts";
import { saveColumnsAction } from "#lib/subscriptions/views/actions.ts";

interface ColumnChoiceProps {
  shown: readonly SubscriptionColumn[];
  onClose: () => void;
}

/** The content of the dialog that shows, hides and orders columns. */
export function ColumnChoice({ shown, onClose }: ColumnChoiceProps) {
  const t = useTranslations("subscriptions.chooser");
  const [order, setOrder] = useState(() => arrangeColumns(shown));
  const [on, setOn] = useState<ReadonlySet<SubscriptionColumn>>(() => new Set(shown));
  const { save, isPending, failure } = useSavedColumns(shown, onClose);
  const chosen = order.filter((column) => on.has(column));

  function toggle(column: SubscriptionColumn) {
    const next = new Set(on);
    if (!next.delete(column)) next.add(column);
    setOn(next);
  }

  function reset() {
    setOrder([...SUBSCRIPTION_COLUMNS]);
    setOn(new Set(SUBSCRIPTION_COLUMNS));
  }

  return (
    <>
      <FailureNotice failure={failure} />
      <p className="mb-2 text-sm text-muted">{t("text")}</p>
      <ul aria-label={t("order")} className="divide-y rounded border">
        {order.map((column, at) => (
          <Row
            key={column}
            {...{ column, at }}
            isOn={on.has(column)}
            isLast={at === order.length - 1}
            onToggle={() => toggle(column)}
            onMove={(by) => setOrder(moveColumn(order, at, by))}
          />
        ))}
      </ul>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button look="quiet" className="mr-auto" disabled={isDefault(chosen)} onClick={reset}>
          {t("reset")}
        </Button>
        <Button onClick={onClose}>{t("cancel")}</Button>
        <Button look="primary" isPending={isPending} onClick={() => void save(chosen)}>
          {t("save")}
        </Button>
      </div>
    </>
  );
}

interface RowProps {
  column: SubscriptionColumn;
  at: number;
  isOn: boolean;
  isLast: boolean;
  onToggle: () => void;
  onMove: (by: -1 | 1) => void;
}

function Row({ column, at, isOn, isLast, onToggle, onMove }: RowProps) {
  const t = useTranslations("subscriptions");
  const label = t(`columns.${column}`);
  const isMain = column === MAIN_COLUMN;
  return (
    <li className="flex items-center gap-1 py-1 pr-1.5 pl-3">
      <label className="flex min-h-9 min-w-0 flex-1 items-center gap-2.5 max-md:min-h-11">
        <input
          type="checkbox"
          checked={isOn}
          disabled={isMain}
          onChange={onToggle}
          className="size-4 accent-accent-strong"
        />
        {label}
        {isMain && <span className="text-xs text-muted">{t("chooser.alwaysShown")}</span>}
      </label>
      <ToolButton
        label={t("chooser.up", { column: label })}
        isOff={at === 0}
        onClick={() => onMove(-1)}
      >
        <ArrowUp aria-hidden className="size-4" />
      </ToolButton>
      <ToolButton
        label={t("chooser.down", { column: label })}
        isOff={isLast}
        onClick={() => onMove(1)}
      >
        <ArrowDown aria-hidden className="size-4" />
      </ToolButton>
    </li>
  );
}

function useSavedColumns(before: readonly SubscriptionColumn[], onSaved: () => void) {
  const t = useTranslations("subscriptions.chooser");
  const scope = useScope();
  const queryClient = useQueryClient();
  const { run, isPending, failure } = useAction(saveColumnsAction);
  const show = (columns: readonly SubscriptionColumn[]) =>
    queryClient.setQueryData(columnsQuery(scope).queryKey, [...columns]);

  async function save(shown: SubscriptionColumn[]) {
    if (!(await run({ shown }))) return;
    show(shown);
    onSaved();
    showToast({ text: t("saved"), onUndo: () => void undo() });
  }

  async function undo() {
    const result = await saveColumnsAction({ shown: [...before] }).catch(() => null);
    if (result?.ok) show(before);
    else showToast({ text: t("notPutBack"), isFailure: true });
  }

  return { save, isPending, failure };
}

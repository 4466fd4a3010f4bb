"use client";

import { useTranslations } from "next-intl";
import { useId, type MouseEvent, type ReactNode, type RefObject } from "react";
import { flushSync } from "react-dom";
import { useFormat } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { ExplainedButton } from "#components/ui/explained-button.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { ArrowDown, ArrowUp, Plus, Trash2 } from "#components/ui/icons.tsx";
import {
  emptyPeriod,
  isPlanFull,
  MOST_PERIODS_ON_SALE,
  movedBy,
  type PeriodDraft,
  type PlanDraft,
  type ProductDraft,
  type SavedProduct,
} from "#lib/products/draft.ts";
import { useDefaultNames } from "./default-names.ts";
import { PeriodFields, type SavedPeriod } from "./period-fields.tsx";

interface PlanFieldsProps {
  draft: ProductDraft;
  change: (draft: ProductDraft) => void;
  plan: PlanDraft;
  /** The plan's index in the draft. */
  at: number;
  today: string;
  errorOf: (path: string) => string | undefined;
  saved: (SavedProduct & { draft: ProductDraft }) | undefined;
  nameRef?: RefObject<HTMLInputElement | null> | undefined;
}

export function PlanFields(props: PlanFieldsProps) {
  const { draft, change, plan, at, today, errorOf, saved, nameRef } = props;
  const t = useTranslations("products.form");
  const names = useDefaultNames();
  const path = `plans.${at}`;
  const name = plan.plan_name.trim() || names.plan;
  const setPlan = (next: PlanDraft) => change({ ...draft, plans: draft.plans.with(at, next) });
  const setPeriods = (periods: PeriodDraft[]) => setPlan({ ...plan, periods });
  const full = isPlanFull(plan) ? t("period.most", { count: MOST_PERIODS_ON_SALE }) : null;
  const isOnlyNew = draft.plans.length > 1 && plan.plan_id === null;
  // New plans come after the saved ones until they are saved themselves.
  const canSwap = (other: PlanDraft | undefined) =>
    other !== undefined && (other.plan_id === null) === (plan.plan_id === null);
  return (
    <Card className="grid gap-4 p-4 sm:p-5">
      <h2 className="sr-only">{name}</h2>
      <div className="flex items-start gap-2">
        <TextField
          id={`${path}.plan_name`}
          ref={nameRef}
          label={t("plan.label")}
          placeholder={names.plan}
          value={plan.plan_name}
          onChange={({ target }) => setPlan({ ...plan, plan_name: target.value })}
          maxLength={200}
          autoComplete="off"
          error={errorOf(`${path}.plan_name`)}
          className="min-w-0 grow"
        />
        {draft.plans.length > 1 && (
          <OrderButtons
            name={name}
            canRise={canSwap(draft.plans[at - 1])}
            canFall={canSwap(draft.plans[at + 1])}
            onMove={(step) => change({ ...draft, plans: movedBy(draft.plans, at, step) })}
          >
            {isOnlyNew && (
              <RemoveButton
                label={t("remove", { name })}
                onClick={() => change({ ...draft, plans: draft.plans.toSpliced(at, 1) })}
              />
            )}
          </OrderButtons>
        )}
      </div>
      <TextField
        id={`${path}.description`}
        label={t("plan.description")}
        value={plan.description}
        onChange={({ target }) => setPlan({ ...plan, description: target.value })}
        isOptional
        autoComplete="off"
        error={errorOf(`${path}.description`)}
      />
      <ul className="grid gap-3">
        {plan.periods.map((period, place) => (
          <PeriodItem
            key={period.key}
            {...{ period, today, errorOf }}
            path={`${path}.periods.${place}`}
            before={saved && savedPeriodOf(saved, period)}
            isLastOnSale={
              saved?.isOnSale === true && period.is_current && isLastOnSale(draft, period)
            }
            full={full}
            canRise={place > 0}
            canFall={place < plan.periods.length - 1}
            isRemovable={period.pbp_id === null && plan.periods.length > 1}
            onMove={(step) => setPeriods(movedBy(plan.periods, place, step))}
            onRemove={() => setPeriods(plan.periods.toSpliced(place, 1))}
            onChange={(next) => setPeriods(plan.periods.with(place, next))}
          />
        ))}
      </ul>
      <div>
        <ExplainedButton
          look="quiet"
          reason={full}
          onClick={() =>
            setPeriods([...plan.periods, emptyPeriod(plan.periods[0]?.currency ?? "")])
          }
        >
          <Plus aria-hidden className="size-4" />
          {t("period.add")}
        </ExplainedButton>
      </div>
    </Card>
  );
}

function savedPeriodOf(
  { draft, subscribers }: SavedProduct & { draft: ProductDraft },
  { pbp_id }: PeriodDraft,
): SavedPeriod | undefined {
  const period = draft.plans
    .flatMap(({ periods }) => periods)
    .find((one) => pbp_id !== null && one.pbp_id === pbp_id);
  return period && { period, subscribers: subscribers.get(period.pbp_id ?? "") ?? 0 };
}

const isLastOnSale = ({ plans }: ProductDraft, period: PeriodDraft) =>
  plans.every(({ periods }) =>
    periods.every(
      (other) => other.is_archived || !other.is_current || other.key === period.key,
    ),
  );

interface PeriodItemProps {
  period: PeriodDraft;
  path: string;
  today: string;
  before: SavedPeriod | undefined;
  isLastOnSale: boolean;
  /** Why no other period can be on sale; null if one can. */
  full: string | null;
  canRise: boolean;
  canFall: boolean;
  isRemovable: boolean;
  errorOf: (path: string) => string | undefined;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
  onChange: (period: PeriodDraft) => void;
}

function PeriodItem(props: PeriodItemProps) {
  const { period, path, today, errorOf, onMove, onRemove, onChange } = props;
  const t = useTranslations("products.form");
  const names = useDefaultNames();
  const { money } = useFormat();
  const heading = useId();
  const defaultName = names.period(period);
  const name = period.label.trim() || defaultName;
  const isArchived = period.is_archived;
  return (
    <li aria-labelledby={heading} className="rounded border p-3 sm:p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id={heading} className={isArchived ? "text-muted" : "font-medium"}>
          {isArchived
            ? t("period.archived", { name, price: money(period.price, period.currency) })
            : period.is_current
              ? name
              : t("period.hidden", { name })}
        </h3>
        <OrderButtons {...{ name, onMove }} canRise={props.canRise} canFall={props.canFall}>
          {period.pbp_id !== null && (
            <ExplainedButton
              look="quiet"
              reason={isArchived ? props.full : props.isLastOnSale ? t("period.last") : null}
              onClick={() =>
                // A changed price is not saved with an archived period.
                onChange({
                  ...period,
                  ...(!isArchived && props.before?.period),
                  label: period.label,
                  is_archived: !isArchived,
                })
              }
              aria-label={t(isArchived ? "period.restoreOf" : "period.archiveOf", { name })}
            >
              {t(isArchived ? "period.restore" : "period.archive")}
            </ExplainedButton>
          )}
          {props.isRemovable && (
            <RemoveButton label={t("remove", { name })} onClick={onRemove} />
          )}
        </OrderButtons>
      </div>
      {!isArchived && (
        <div className="mt-3">
          <PeriodFields
            {...{ path, period, today, onChange, errorOf, defaultName }}
            before={props.before}
          />
        </div>
      )}
    </li>
  );
}

interface OrderButtonsProps {
  name: string;
  canRise: boolean;
  canFall: boolean;
  onMove: (step: -1 | 1) => void;
  children?: ReactNode;
}

/** Buttons that move an item by one place; the pressed one keeps the focus. */
function OrderButtons({ name, canRise, canFall, onMove, children }: OrderButtonsProps) {
  const t = useTranslations("products.form.order");
  function move({ currentTarget }: MouseEvent<HTMLButtonElement>, step: -1 | 1) {
    flushSync(() => onMove(step));
    currentTarget.focus();
  }
  return (
    <div className="flex items-center gap-1">
      {children}
      <Button
        look="quiet"
        aria-label={t("up", { name })}
        title={t("up", { name })}
        aria-disabled={!canRise}
        onClick={(event) => canRise && move(event, -1)}
      >
        <ArrowUp aria-hidden className="size-4" />
      </Button>
      <Button
        look="quiet"
        aria-label={t("down", { name })}
        title={t("down", { name })}
        aria-disabled={!canFall}
        onClick={(event) => canFall && move(event, 1)}
      >
        <ArrowDown aria-hidden className="size-4" />
      </Button>
    </div>
  );
}

function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button look="quiet" aria-label={label} title={label} onClick={onClick}>
      <Trash2 aria-hidden className="size-4" />
    </Button>
  );
}

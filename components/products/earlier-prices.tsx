"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useParams, useRouter } from "next/navigation";
import { useState } from "react";
import { useFormat, useScope, useSeller } from "#components/context/seller-context.tsx";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import { FailureNotice, useAction, useSellerAction } from "#components/forms/use-action.tsx";
import type { ActionResult } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { FactRow } from "#components/ui/detail-row.tsx";
import { MessagesSquare } from "#components/ui/icons.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { recallDraft, saveDraft } from "#components/forms/draft-memory.ts";
import { DialogButton, initialFocus, useDialogHold } from "#components/ui/overlays/dialog.tsx";
import { Day } from "#components/values/day.tsx";
import type { AccountMovePreview } from "#contract/account.ts";
import {
  MAX_RECIPIENTS,
  nextRecipient,
  outreachDraft,
  parseOutreach,
  withRecipients,
} from "#lib/collection/outreach.ts";
import { parseQueueSearch, queuePath } from "#lib/collection/search.ts";
import { failureOf } from "#lib/failure.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import { moveSubscribersAction, undoMoveAction } from "#lib/products/actions.ts";
import {
  editedProductQuery,
  moveNoticesPath,
  moveQuery,
  productsKey,
  type EditedProduct,
  type MoveNotices,
} from "#lib/products/queries.ts";
import { intervalWords } from "#lib/products/rules.ts";
import type { Scope } from "#lib/scope.ts";

/** Archived prices that subscribers still pay, each with a move to the new price. */
export function EarlierPrices() {
  const t = useTranslations("products.form.moves");
  const { id } = useParams<{ id: string }>();
  const { data } = useQuery(editedProductQuery(useScope(), id));
  const rows = data ? earlierPricesOf(data) : [];
  if (rows.length === 0) return null;
  return (
    <Card aria-labelledby="earlier-prices" className="mt-4">
      <div className="border-b px-4 py-3 sm:px-5">
        <CardTitle id="earlier-prices">{t("title")}</CardTitle>
        <p className="text-sm text-muted">{t("text")}</p>
      </div>
      <ul className="divide-y">
        {rows.map((row) => (
          <EarlierPriceRow key={row.period.pbp_id} row={row} />
        ))}
      </ul>
    </Card>
  );
}

function earlierPricesOf({ product, periods }: EditedProduct) {
  const known = product.plan.flatMap(({ billing_periods }) => billing_periods);
  return known
    .filter(({ is_archived }) => is_archived)
    .flatMap((period) => {
      const counted = periods.find(({ pbp_id }) => pbp_id === period.pbp_id);
      if (!counted || counted.subscribers === 0) return [];
      const isMoving = counted.move !== null && counted.move.waiting > 0;
      const target = isMoving
        ? known.find(({ pbp_id }) => pbp_id === counted.move?.to)
        : successorOf(known, period.pbp_id);
      return [{ ...counted, isMoving, period, target }];
    });
}

type Period = EditedProduct["product"]["plan"][number]["billing_periods"][number];

/** The period on sale with the newer price. */
function successorOf(known: readonly Period[], pbpId: string): Period | undefined {
  const next = known.find(({ replaces }) => replaces === pbpId);
  return next?.is_archived ? successorOf(known, next.pbp_id) : next;
}

type EarlierPrice = ReturnType<typeof earlierPricesOf>[number];

function EarlierPriceRow({ row }: { row: EarlierPrice }) {
  const t = useTranslations("products.form.moves");
  const format = useTranslations("format");
  const { money } = useFormat();
  const { period, subscribers, move, target, isMoving } = row;
  const price = target ? money(target.price, target.currency) : "";
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-4 sm:px-5">
      <div className="min-w-0">
        <p>
          <span className="font-medium tabular-nums">
            {money(period.price, period.currency)}
          </span>{" "}
          <span className="text-muted">{intervalWords(format, period)}</span>
        </p>
        <p className="text-sm text-muted">
          {move && isMoving
            ? t("moving", { count: move.waiting, price })
            : t("subscribers", { count: subscribers })}
        </p>
      </div>
      {move && isMoving ? (
        <div className="flex flex-wrap gap-2">
          <TellSubscribers pbpId={period.pbp_id} />
          <UndoMove id={move.id} />
        </div>
      ) : (
        target && <MoveButton pbpId={period.pbp_id} price={price} />
      )}
    </li>
  );
}

const readNotices = (
  scope: Scope,
  id: string,
  pbpId: string,
): Promise<ActionResult<MoveNotices>> =>
  fetchJson<MoveNotices>(moveNoticesPath(scope, id, pbpId), new AbortController().signal).then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, failure: failureOf(error) }),
  );

/** Opens the outreach for the subscribers of a move, with a text about the new price. */
function TellSubscribers({ pbpId }: { pbpId: string }) {
  const t = useTranslations("products.form.moves");
  const { id } = useParams<{ id: string }>();
  const scope = useScope();
  const router = useRouter();
  const { person } = useSeller();
  const [none, setNone] = useState(false);
  const { run, isPending, failure } = useAction(() => readNotices(scope, id, pbpId));

  async function tell() {
    const done = await run(undefined);
    if (!done) return;
    const { recipients, total } = done.value;
    setNone(total === 0);
    if (recipients.length === 0) return;
    if (total > MAX_RECIPIENTS)
      showToast({ text: t("first", { count: MAX_RECIPIENTS, total }) });
    const key = outreachDraft({ person, scope });
    const outreach = withRecipients(parseOutreach(recallDraft(key)?.content), recipients);
    saveDraft(key, outreach);
    const buyer = nextRecipient(outreach)?.id ?? null;
    router.push(queuePath(scope, parseQueueSearch({}), { buyer }));
  }

  return (
    <div className="grid gap-2">
      <Button look="primary" isPending={isPending} onClick={() => void tell()}>
        <MessagesSquare aria-hidden className="size-4" />
        {t("tell")}
      </Button>
      <p role="status" className="text-sm text-muted empty:sr-only">
        {none && t("nobody")}
      </p>
      <FailureNotice failure={failure} />
    </div>
  );
}

function UndoMove({ id }: { id: number }) {
  const t = useTranslations("products.form.moves");
  const refresh = useRefresh();
  const { run, isPending, failure } = useSellerAction(undoMoveAction);
  return (
    <div className="grid gap-2">
      <Button
        isPending={isPending}
        onClick={() => void run({ id }).then((done) => done && refresh())}
      >
        {t("undo")}
      </Button>
      <FailureNotice failure={failure} />
    </div>
  );
}

function MoveButton({ pbpId, price }: { pbpId: string; price: string }) {
  const t = useTranslations("products.form.moves");
  return (
    <DialogButton label={t("open", { price })} title={t("dialog", { price })}>
      {(close) => <MoveDialog pbpId={pbpId} onClose={close} />}
    </DialogButton>
  );
}

function MoveDialog({ pbpId, onClose }: { pbpId: string; onClose: () => void }) {
  const t = useTranslations("products.form.moves");
  const query = useQuery(moveQuery(useScope(), pbpId));
  const refresh = useRefresh();
  const { run, isPending, failure } = useSellerAction(moveSubscribersAction);
  useDialogHold(isPending);

  async function move() {
    const done = await run({ pbp_id: pbpId });
    if (!done) return;
    await refresh();
    onClose();
  }

  return (
    <div className="grid gap-4" aria-busy={query.isPending}>
      <FailureNotice failure={failure} />
      {query.error && <FailureLine failure={failureOf(query.error)} query={query} />}
      {query.isPending && <span className="skeleton h-40 rounded-md" />}
      {query.data && <MoveFacts preview={query.data} />}
      <div className="flex justify-end gap-2">
        <Button ref={initialFocus} onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button
          look="primary"
          isPending={isPending}
          disabled={!query.data?.subscribers}
          onClick={() => void move()}
        >
          {t("confirm", { count: query.data?.subscribers ?? 0 })}
        </Button>
      </div>
    </div>
  );
}

function MoveFacts({ preview }: { preview: AccountMovePreview }) {
  const t = useTranslations("products.form.moves");
  const { money } = useFormat();
  const { subscribers, staying, first_day, last_day, before, after } = preview;
  return (
    <>
      <p>{t("explained")}</p>
      <dl className="divide-y border-y">
        <FactRow label={t("facts.subscribers")}>
          {t("facts.count", { count: subscribers })}
        </FactRow>
        {first_day && last_day && (
          <FactRow label={t("facts.days")}>
            <Day iso={first_day} />
            {last_day !== first_day && (
              <>
                {" – "}
                <Day iso={last_day} />
              </>
            )}
          </FactRow>
        )}
        <FactRow label={t("facts.before")}>{money(before.amount, before.currency)}</FactRow>
        <FactRow label={t("facts.after")}>{money(after.amount, after.currency)}</FactRow>
      </dl>
      {staying > 0 && <p className="text-sm text-muted">{t("staying", { count: staying })}</p>}
      <p className="text-sm text-muted">{t("undoable")}</p>
    </>
  );
}

function useRefresh() {
  const scope = useScope();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: productsKey(scope) });
}

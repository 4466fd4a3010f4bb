"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { ScopedLink, useFormat } from "#components/context/seller-context.tsx";
import { FailureNotice, fieldText, useSellerAction } from "#components/forms/use-action.tsx";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import { Button, SubmitButton } from "#components/ui/button.tsx";
import { Checkbox, SelectField, TextField } from "#components/ui/forms/fields.tsx";
import {
  Ban,
  CircleAlert,
  CircleCheck,
  Copy,
  UserPlus,
  UserRoundCheck,
} from "#components/ui/icons.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { changeImportRowAction } from "#lib/imports/actions.ts";
import type { ImportPeriod } from "#lib/imports/queries.ts";
import {
  cellAt,
  NEEDED_FIELDS,
  type ImportField,
  type ImportRow,
  type ImportRun,
  type RowFilter,
} from "#lib/imports/rules.ts";
import { ImportRowResult } from "./run-row.tsx";

interface RowProps {
  run: ImportRun;
  row: ImportRow;
  periods: ImportPeriod[];
  /** Whether the import can still be changed. */
  isOpen: boolean;
}

const LOOKS: Record<Exclude<RowFilter, "refused">, BadgeLook> = {
  new: { icon: UserPlus, tone: "active" },
  known: { icon: UserRoundCheck, tone: "active" },
  has: { icon: CircleCheck, tone: "neutral" },
  double: { icon: Copy, tone: "neutral" },
  wrong: { icon: CircleAlert, tone: "due" },
  out: { icon: Ban, tone: "neutral" },
};

/** A row with its verdict and result; until the import starts, the row can be corrected in place. */
export function ImportRowItem({ run, row, periods, isOpen }: RowProps) {
  const t = useTranslations("imports");
  const [isMending, setMending] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setMending(false);
    // The button is there again after the next render.
    requestAnimationFrame(() => opener.current?.focus());
  };
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <RowFacts {...{ row, periods }} />
          {row.state && <ImportRowResult row={row} state={row.state} />}
        </div>
        <Verdict row={row} />
        {isOpen && !isMending && (
          <div className="flex flex-wrap gap-2">
            <Button
              ref={opener}
              aria-label={t("row.mendOf", { row: row.position })}
              onClick={() => setMending(true)}
            >
              {t("row.mend")}
            </Button>
            {row.verdict !== "wrong" && <ChoiceButton {...{ run, row }} />}
          </div>
        )}
      </div>
      {isMending && <MendForm {...{ run, row, periods }} onClose={close} />}
    </li>
  );
}

function RowFacts({ row, periods }: Pick<RowProps, "row" | "periods">) {
  const t = useTranslations("imports");
  const format = useFormat();
  const { position, pbp_id, paid_until, double_of, existing_id } = row;
  const period = periods.find((one) => one.pbp_id === pbp_id)?.name ?? pbp_id;
  const facts = [
    row.phone,
    row.email,
    period,
    paid_until !== null && t("row.paidUntil", { day: format.date(paid_until) }),
  ];
  return (
    <>
      <p className="font-medium wrap-anywhere">
        <span className="mr-2 font-normal text-faint tabular-nums">
          {t("row.number", { number: position })}
        </span>
        {row.name ?? t("row.noName")}
      </p>
      <p className="text-sm wrap-anywhere text-muted">{facts.filter(Boolean).join(" · ")}</p>
      {row.problems.length > 0 && (
        <ul className="mt-1 text-sm text-due">
          {row.problems.map((problem) => (
            <li key={problem}>{t(`problems.${problem}`)}</li>
          ))}
        </ul>
      )}
      {row.verdict === "double" && double_of !== null && (
        <p className="mt-1 text-sm text-muted">{t("row.double", { row: double_of })}</p>
      )}
      {row.verdict === "has" && existing_id !== null && (
        <p className="mt-1 text-sm">
          <ScopedLink
            href={`/subscriptions/${encodeURIComponent(existing_id)}`}
            prefetch={false}
            className="link"
          >
            {t("row.existing")}
          </ScopedLink>
        </p>
      )}
    </>
  );
}

function Verdict({ row: { verdict, is_made, mended } }: Pick<RowProps, "row">) {
  const t = useTranslations("imports");
  if (verdict === null) return null;
  const shown = (verdict === "new" || verdict === "known") && !is_made ? "out" : verdict;
  return (
    <span className="flex flex-wrap gap-1">
      {Object.keys(mended).length > 0 && <Badge>{t("row.mended")}</Badge>}
      <Badge {...LOOKS[shown]}>{t(`verdicts.${shown}`)}</Badge>
    </span>
  );
}

/** Leaves out a row that would be imported, or includes one that would not. */
function ChoiceButton({ run, row }: Pick<RowProps, "run" | "row">) {
  const t = useTranslations("imports.row");
  const router = useRouter();
  const { run: change, isPending, failure } = useSellerAction(changeImportRowAction);
  const { position, is_made, verdict } = row;
  const isUsual = verdict === "new" || verdict === "known";

  async function choose() {
    const choice = is_made ? (isUsual ? "out" : null) : isUsual ? null : "in";
    if (await change({ id: run.id, position, choice })) router.refresh();
  }

  return (
    <>
      <Button
        isPending={isPending}
        aria-label={t(is_made ? "leaveOutOf" : "takeInOf", { row: position })}
        onClick={() => void choose()}
      >
        {t(is_made ? "leaveOut" : "takeIn")}
      </Button>
      <FailureNotice failure={failure} />
    </>
  );
}

const TEXT_FIELDS = [
  "name",
  "phone",
  "email",
  "address",
  "pan_vat",
  "paid_until",
] as const satisfies ImportField[];

const KINDS: Partial<Record<ImportField, string>> = { phone: "tel", email: "email" };

function MendForm({
  run,
  row,
  periods,
  onClose,
}: Omit<RowProps, "isOpen"> & { onClose: () => void }) {
  const t = useTranslations("imports");
  const router = useRouter();
  const id = useId();
  const { run: mend, isPending, failure } = useSellerAction(changeImportRowAction);
  const { position } = row;
  const named = [fileText(run, row, "product"), fileText(run, row, "price")];
  const said = named.filter(Boolean).join(" · ");
  const chosen = row.mended.product === undefined ? "" : (row.pbp_id ?? "");

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const text = (field: string) => fieldText(form, field);
    const given = new FormData(form);
    const changed = TEXT_FIELDS.filter(
      (field) => text(field) !== cellOf(run, row, field) || given.has(`empty-${field}`),
    );
    const texts = {
      ...Object.fromEntries(changed.map((field) => [field, text(field)])),
      ...(text("pbp_id") !== chosen && productTexts(run, row, text("pbp_id"))),
    };
    if (!(await mend({ id: run.id, position, texts }))) return;
    showToast({ text: t("row.saved", { row: position }) });
    onClose();
    router.refresh();
  }

  function cancel(event: KeyboardEvent) {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onClose();
  }

  return (
    <form
      noValidate
      aria-label={t("row.mendOf", { row: position })}
      className="mt-3 grid gap-3 border-t pt-3 sm:grid-cols-2"
      onSubmit={(event) => void submit(event)}
    >
      {failure && (
        <div className="sm:col-span-2">
          <FailureNotice failure={failure} />
        </div>
      )}
      {TEXT_FIELDS.map((field, at) => (
        <div key={field}>
          <TextField
            ref={at === 0 ? initialFocus : undefined}
            id={`${id}-${field}`}
            name={field}
            onKeyDown={cancel}
            type={KINDS[field] ?? "text"}
            label={t(`fields.${field}`)}
            defaultValue={cellOf(run, row, field)}
            hint={
              isFormula(run, row, field) ? t("row.cell", { text: t("row.formula") }) : undefined
            }
          />
          {isFormula(run, row, field) && !NEEDED_FIELDS.includes(field) && (
            <Checkbox
              name={`empty-${field}`}
              onKeyDown={cancel}
              label={t("row.empty", { field: t(`fields.${field}`) })}
              className="mt-1"
            />
          )}
        </div>
      ))}
      <div className="sm:col-span-2">
        <SelectField
          id={`${id}-pbp`}
          name="pbp_id"
          onKeyDown={cancel}
          label={t("columns.product")}
          defaultValue={chosen}
          options={periods.map(({ pbp_id, name }) => [pbp_id, name])}
        >
          <option value="">{t("row.cell", { text: said || "—" })}</option>
        </SelectField>
      </div>
      <div className="flex flex-wrap gap-2 sm:col-span-2">
        <SubmitButton isPending={isPending}>{t("row.save")}</SubmitButton>
        <Button onClick={onClose}>{t("row.cancel")}</Button>
      </div>
    </form>
  );
}

/** Replaces the product and price of the file by the chosen billing period; for "", restores them. */
const productTexts = (run: ImportRun, row: ImportRow, pbp_id: string) =>
  pbp_id === ""
    ? { product: fileText(run, row, "product"), price: fileText(run, row, "price") }
    : { product: pbp_id, price: "" };

const fileCell = ({ columns }: ImportRun, { cells }: ImportRow, field: ImportField) =>
  cellAt(cells, columns.indexOf(field));

/** The file's text in this field; empty for a formula. */
const fileText = (run: ImportRun, row: ImportRow, field: ImportField): string =>
  fileCell(run, row, field) ?? "";

const isFormula = (run: ImportRun, row: ImportRow, field: ImportField) =>
  row.mended[field] === undefined && fileCell(run, row, field) === null;

/** The corrected text, else the file's text. */
const cellOf = (run: ImportRun, row: ImportRow, field: ImportField): string =>
  row.mended[field] ?? fileText(run, row, field);

"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type FormEvent, useId, useState } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import {
  FailureNotice,
  fieldError,
  fieldText,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { FieldError, SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { checkImportAction } from "#lib/imports/actions.ts";
import type { ImportView } from "#lib/imports/queries.ts";
import {
  cellAt,
  IMPORT_FIELDS,
  NEEDED_FIELDS,
  type ImportField,
  type ImportRow,
} from "#lib/imports/rules.ts";
import { importPath } from "#lib/imports/search.ts";

type Columns = (ImportField | null)[];

/** Assigns the file's columns to fields, and asks for the values of rows that leave a field empty. */
export function ImportColumns({ view }: { view: ImportView }) {
  const { run, rows } = view;
  const t = useTranslations("imports");
  const scope = useScope();
  const router = useRouter();
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const { run: send, isPending, failure } = useSellerAction(checkImportAction);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const text = (name: string) => fieldText(form, name);
    const columns = run.columns.map((_, at): ImportField | null => {
      const chosen = text(`column-${at}`);
      return IMPORT_FIELDS.find((field) => field === chosen) ?? null;
    });
    const wrong = problemOf(columns);
    setProblem(wrong);
    if (wrong) return form.querySelector("select")?.focus();
    const done = await send({
      id: run.id,
      hasHeadings: text("headings") !== "no",
      columns,
      defaults: { pbp_id: text("pbp_id"), email: text("email"), address: text("address") },
    });
    if (!done) return;
    router.push(importPath(scope, run.id));
    window.scrollTo({ top: 0 });
  }

  function problemOf(columns: Columns): string | null {
    const twice = columns.find((field, at) => field && columns.indexOf(field) !== at);
    if (twice) return t("columns.twice", { field: t(`fields.${twice}`) });
    const missing = NEEDED_FIELDS.filter((field) => !columns.includes(field));
    if (missing.length === 0) return null;
    const fields = missing.map((field) => t(`fields.${field}`)).join(", ");
    return t("columns.missing", { fields });
  }

  return (
    <form noValidate className="grid max-w-3xl gap-4" onSubmit={(event) => void submit(event)}>
      <FailureNotice failure={failure} />
      <Card aria-labelledby="columns" className="p-4 sm:p-5">
        <CardTitle id="columns">{t("columns.title")}</CardTitle>
        <p className="mb-4 text-pretty text-muted">{t("columns.text")}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            id={`${id}-headings`}
            name="headings"
            label={t("columns.headings")}
            defaultValue={run.headings ? "yes" : "no"}
          >
            <option value="yes">{t("columns.headingsYes")}</option>
            <option value="no">{t("columns.headingsNo")}</option>
          </SelectField>
          {run.columns.map((field, at) => (
            <SelectField
              key={at}
              id={`${id}-${at}`}
              name={`column-${at}`}
              label={run.headings?.[at]?.trim() || t("columns.column", { number: at + 1 })}
              hint={samples(rows, at, t)}
              defaultValue={field ?? ""}
              options={IMPORT_FIELDS.map((one) => [one, t(`fields.${one}`)])}
            >
              <option value="">{t("columns.none")}</option>
            </SelectField>
          ))}
        </div>
        <div role="alert">
          {problem && <FieldError id={`${id}-problem`}>{problem}</FieldError>}
        </div>
      </Card>
      <Defaults view={view} error={(field) => fieldError(failure, field)} />
      <div>
        <SubmitButton isPending={isPending}>{t("columns.check")}</SubmitButton>
      </div>
    </form>
  );
}

function samples(
  rows: readonly ImportRow[],
  at: number,
  t: ReturnType<typeof useTranslations<"imports">>,
): string {
  const cells = rows.flatMap(({ cells: given }) => {
    const cell = cellAt(given, at) ?? t("row.formula");
    return cell.trim().slice(0, 60) || [];
  });
  return cells.length > 0
    ? t("columns.sample", { cells: cells.join(" · ") })
    : t("columns.noSample");
}

interface DefaultsProps {
  view: ImportView;
  error: (field: string) => string | undefined;
}

function Defaults({ view: { run, periods, failure }, error }: DefaultsProps) {
  const t = useTranslations("imports.columns");
  const id = useId();
  const [only] = periods;
  const usual = run.default_pbp_id ?? (periods.length === 1 ? only?.pbp_id : null);
  return (
    <Card aria-labelledby="defaults" className="p-4 sm:p-5">
      <CardTitle id="defaults">{t("defaults")}</CardTitle>
      {periods.length === 0 && !failure && (
        <Notice look="warning" icon={TriangleAlert} className="mt-3">
          {t("noCatalogue")}
        </Notice>
      )}
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <div className="sm:col-span-2">
          <SelectField
            id={`${id}-pbp`}
            name="pbp_id"
            label={t("product")}
            defaultValue={usual ?? ""}
            options={periods.map(({ pbp_id, name }) => [pbp_id, name])}
          >
            <option value="">{t("noProduct")}</option>
          </SelectField>
        </div>
        <TextField
          id={`${id}-email`}
          name="email"
          type="email"
          isOptional
          label={t("email")}
          hint={t("emailHint")}
          defaultValue={run.default_email ?? ""}
          error={error("defaults.email")}
        />
        <TextField
          id={`${id}-address`}
          name="address"
          isOptional
          label={t("address")}
          hint={t("addressHint")}
          defaultValue={run.default_address ?? ""}
          error={error("defaults.address")}
        />
      </div>
    </Card>
  );
}

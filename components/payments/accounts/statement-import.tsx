import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useId, useState, type FormEvent, type ReactNode } from "react";
import { MOST_STATEMENT_ROWS } from "#contract/names.ts";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { useRefreshMoney } from "#components/forms/by-hand/record-payment.tsx";
import { FailureNotice, postFile, useAction } from "#components/forms/use-action.tsx";
import { Button, SubmitButton } from "#components/ui/button.tsx";
import { SelectField } from "#components/ui/forms/fields.tsx";
import { FileField } from "#components/ui/forms/file-field.tsx";
import { DialogButton, initialFocus, useDialogHold } from "#components/ui/overlays/dialog.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import {
  STATEMENT_COLUMNS,
  writePlaces,
  type StatementPlaces,
} from "#lib/payments/portal/columns.ts";
import {
  MAX_STATEMENT_BYTES,
  portalPath,
  type StatementCheck,
} from "#lib/payments/portal/queries.ts";
import { StatementResult } from "./statement-result.tsx";

interface ImportProps {
  provider: string;
  name: string;
}

/** Opens the comparison of a statement that the seller has downloaded from the provider's portal. */
export function ImportButton({ provider, name }: ImportProps) {
  const t = useTranslations("payAccounts.statement");
  return (
    <DialogButton
      aria-label={t("of", { provider: name })}
      label={t("label")}
      title={t("title", { provider: name })}
    >
      {(close) => <StatementImport provider={provider} onClose={close} />}
    </DialogButton>
  );
}

interface Upload {
  file: File;
  columns: string;
  isConfirmed: boolean;
  takesUnknown: boolean;
}

function StatementImport({ provider, onClose }: { provider: string; onClose: () => void }) {
  const t = useTranslations("payAccounts.statement");
  const scope = useScope();
  const router = useRouter();
  const refreshMoney = useRefreshMoney();
  const [checked, setChecked] = useState<{ file: File; check: StatementCheck } | null>(null);
  const { run, isPending, failure } = useAction(({ file, ...upload }: Upload) =>
    postFile<StatementCheck>(portalPath(scope, { provider, ...upload }), file),
  );
  useDialogHold(isPending);

  async function check(file: File, columns = "") {
    const done = await run({ file, columns, isConfirmed: false, takesUnknown: true });
    if (done) setChecked({ file, check: done.value });
  }

  async function confirm(takesUnknown: boolean) {
    if (!checked) return;
    const { file, check: known } = checked;
    const columns = writePlaces(known.places);
    const done = await run({ file, columns, isConfirmed: true, takesUnknown });
    if (!done) return;
    onClose();
    showToast({ text: t("done", { count: done.value.compared?.opened ?? 0 }) });
    refreshMoney();
    router.refresh();
  }

  if (!checked)
    return <FileForm {...{ isPending, failure }} onCheck={(file) => void check(file)} />;
  const { file, check: known } = checked;
  const other = <Button onClick={() => setChecked(null)}>{t("other")}</Button>;
  const columns = (
    <ColumnForm
      check={known}
      more={known.compared ? null : other}
      isPending={isPending}
      onChosen={(places) => void check(file, writePlaces(places))}
    />
  );
  return (
    <>
      <p className="mb-3 wrap-anywhere text-muted">{file.name}</p>
      <FailureNotice failure={failure} />
      {known.compared ? (
        <StatementResult
          key={writePlaces(known.places)}
          check={known}
          compared={known.compared}
          isPending={isPending}
          columns={columns}
          onConfirm={(takesUnknown) => void confirm(takesUnknown)}
          onOther={() => setChecked(null)}
        />
      ) : (
        columns
      )}
    </>
  );
}

interface FileFormProps extends Pick<
  ReturnType<typeof useAction<File, unknown>>,
  "isPending" | "failure"
> {
  onCheck: (file: File) => void;
}

function FileForm({ isPending, failure, onCheck }: FileFormProps) {
  const t = useTranslations("payAccounts.statement");
  const format = useFormat();
  const id = useId();
  const [problem, setProblem] = useState<"choose" | "file.heavy" | null>(null);
  const hint = t("fileHint", { count: format.count(MOST_STATEMENT_ROWS) });
  const error = problem ? t(problem) : undefined;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const file = new FormData(form).get("file");
    const wrong =
      !(file instanceof File) || file.name === ""
        ? "choose"
        : file.size > MAX_STATEMENT_BYTES
          ? "file.heavy"
          : null;
    setProblem(wrong);
    if (wrong) form.querySelector<HTMLElement>("[type=file]")?.focus();
    else onCheck(file as File);
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <p className="text-pretty text-muted">{t("intro")}</p>
      {!problem && <FailureNotice failure={failure} />}
      <FileField
        ref={initialFocus}
        name="file"
        accept=".csv,.tsv,.txt,.xlsx"
        label={t("file.label")}
        {...{ id, hint, error }}
      />
      <div className="flex justify-end">
        <SubmitButton isPending={isPending}>{t("check")}</SubmitButton>
      </div>
    </form>
  );
}

interface ColumnFormProps {
  check: StatementCheck;
  /** Content beside the button. */
  more: ReactNode;
  isPending: boolean;
  onChosen: (places: StatementPlaces) => void;
}

/** Assigns the file's columns to fields. */
function ColumnForm({
  check: { headings, places },
  more,
  isPending,
  onChosen,
}: ColumnFormProps) {
  const t = useTranslations("payAccounts.statement");
  const id = useId();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const chosen = STATEMENT_COLUMNS.map((column) => {
      const place = fields.get(column);
      return [column, typeof place === "string" && place !== "" ? Number(place) : null];
    });
    onChosen(Object.fromEntries(chosen) as StatementPlaces);
  }

  return (
    <form className="grid gap-3" onSubmit={submit}>
      <div>
        <p className="font-medium">{t("columnsTitle")}</p>
        <p className="text-sm text-muted">{t("columnsText")}</p>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        {STATEMENT_COLUMNS.map((column) => (
          <SelectField
            key={column}
            id={`${id}-${column}`}
            name={column}
            label={t(`columns.${column}`)}
            defaultValue={places[column] ?? ""}
            options={headings.map((heading, at) => [
              at,
              heading || t("column", { number: at + 1 }),
            ])}
          >
            <option value="">{t("none")}</option>
          </SelectField>
        ))}
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        {more}
        <SubmitButton isPending={isPending}>{t("check")}</SubmitButton>
      </div>
    </form>
  );
}

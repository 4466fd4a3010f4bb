import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { FailureNotice } from "#components/forms/use-action.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { FieldFrame, TextArea, controlProps } from "#components/ui/forms/fields.tsx";
import type { Failure } from "#lib/failure.ts";
import { MAX_SHEET_BYTES, MOST_SHEET_ROWS } from "#lib/products/sheet/columns.ts";

/** The file or rows that the user wants to import. */
export interface GivenSheet {
  /** The file's name; null for pasted rows. */
  name: string | null;
  content: Blob;
}

interface SheetFormProps {
  isPending: boolean;
  failure: Failure | null;
  onCheck: (sheet: GivenSheet) => void;
}

export function SheetForm({ isPending, failure, onCheck }: SheetFormProps) {
  const t = useTranslations("sheet");
  const id = useId();
  const [problem, setProblem] = useState<"nothing" | "heavy" | null>(null);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const sheet = readForm(new FormData(form));
    const wrong = !sheet ? "nothing" : sheet.content.size > MAX_SHEET_BYTES ? "heavy" : null;
    setProblem(wrong);
    if (sheet && !wrong) onCheck(sheet);
    else form.querySelector<HTMLElement>("[type=file]")?.focus();
  }

  const hint = t("import.fileHint", { count: MOST_SHEET_ROWS - 1 });
  const error = problem && t(problem === "heavy" ? "file.heavy" : "import.nothing");
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      {!problem && <FailureNotice failure={failure} />}
      <FieldFrame
        id={`${id}-file`}
        label={t("import.file")}
        hint={hint}
        error={error ?? undefined}
      >
        <input
          type="file"
          name="file"
          accept=".csv,.tsv,.txt,.xlsx"
          className="input h-auto py-1 file:mr-3 file:rounded file:border-0 file:bg-sunken file:px-2 file:py-1 file:text-ink"
          {...controlProps(`${id}-file`, hint, error ?? undefined)}
        />
      </FieldFrame>
      <TextArea
        id={`${id}-rows`}
        name="rows"
        label={t("import.paste")}
        hint={t("import.pasteHint")}
        rows={4}
        spellCheck={false}
        className="font-mono text-sm whitespace-pre"
      />
      <div>
        <SubmitButton isPending={isPending}>{t("import.check")}</SubmitButton>
      </div>
    </form>
  );
}

function readForm(fields: FormData): GivenSheet | null {
  const file = fields.get("file");
  if (file instanceof File && (file.size > 0 || file.name))
    return { name: file.name, content: file };
  const rows = fields.get("rows");
  return typeof rows === "string" && rows.trim() !== ""
    ? { name: null, content: new Blob([rows]) }
    : null;
}

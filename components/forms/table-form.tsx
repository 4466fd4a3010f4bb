import { type FormEvent, type RefObject, useId, useState } from "react";
import { FailureNotice } from "#components/forms/use-action.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { TextArea } from "#components/ui/forms/fields.tsx";
import { FileField } from "#components/ui/forms/file-field.tsx";
import type { Failure } from "#lib/failure.ts";

/** The file or rows that the user wants to import. */
export interface GivenTable {
  /** The file's name; null for pasted rows. */
  name: string | null;
  content: Blob;
}

interface TableFormProps {
  mostBytes: number;
  /** The labels, hints and problems of the fields, and the button's text. */
  words: Record<
    "file" | "fileHint" | "nothing" | "heavy" | "paste" | "pasteHint" | "submit",
    string
  >;
  fileInput?: RefObject<HTMLInputElement | null>;
  isPending: boolean;
  failure: Failure | null;
  onSubmit: (table: GivenTable) => void;
}

/** Takes a table to import, as a file or as pasted rows. */
export function TableForm({
  mostBytes,
  words,
  fileInput,
  isPending,
  failure,
  onSubmit,
}: TableFormProps) {
  const id = useId();
  const [problem, setProblem] = useState<"nothing" | "heavy" | null>(null);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const table = readForm(new FormData(form));
    const wrong = !table ? "nothing" : table.content.size > mostBytes ? "heavy" : null;
    setProblem(wrong);
    if (table && !wrong) onSubmit(table);
    else form.querySelector<HTMLElement>("[type=file]")?.focus();
  }

  const error = problem ? words[problem] : undefined;
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      {!problem && <FailureNotice failure={failure} />}
      <FileField
        ref={fileInput}
        id={`${id}-file`}
        name="file"
        accept=".csv,.tsv,.txt,.xlsx"
        label={words.file}
        hint={words.fileHint}
        error={error}
      />
      <TextArea
        id={`${id}-rows`}
        name="rows"
        label={words.paste}
        hint={words.pasteHint}
        rows={4}
        spellCheck={false}
        className="font-mono text-sm whitespace-pre"
      />
      <div>
        <SubmitButton isPending={isPending}>{words.submit}</SubmitButton>
      </div>
    </form>
  );
}

function readForm(fields: FormData): GivenTable | null {
  const file = fields.get("file");
  if (file instanceof File && file.name) return { name: file.name, content: file };
  const rows = fields.get("rows");
  return typeof rows === "string" && rows.trim() !== ""
    ? { name: null, content: new Blob([rows]) }
    : null;
}

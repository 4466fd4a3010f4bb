"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type DragEvent, type FormEvent, useId, useRef, useState } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { FailureNotice, postFile, useAction } from "#components/forms/use-action.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { FieldFrame, TextArea, controlProps } from "#components/ui/forms/fields.tsx";
import { cn } from "#lib/cn.ts";
import { fileNameHeader } from "#lib/files/file-name.ts";
import { MAX_IMPORT_BYTES, MAX_IMPORT_ROWS } from "#lib/imports/rules.ts";
import { importPath, importUploadPath } from "#lib/imports/search.ts";

interface GivenTable {
  /** The file's name; empty for pasted rows. */
  name: string;
  content: Blob;
}

const MEGABYTE = 1024 * 1024;

/** Takes a file, also a dropped one, or pasted rows, and opens the import made of it. */
export function ImportUpload() {
  const t = useTranslations("imports");
  const scope = useScope();
  const router = useRouter();
  const id = useId();
  const fileInput = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<"upload.nothing" | "file.heavy" | null>(null);
  const [isOver, setOver] = useState(false);
  const { run, isPending, failure } = useAction(({ name, content }: GivenTable) =>
    postFile<{ id: string; isGuessed: boolean }>(
      importUploadPath(scope),
      content,
      name ? fileNameHeader(name) : {},
    ),
  );

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const table = readForm(new FormData(event.currentTarget));
    const wrong = !table
      ? "upload.nothing"
      : table.content.size > MAX_IMPORT_BYTES
        ? "file.heavy"
        : null;
    setProblem(wrong);
    if (!table || wrong) return fileInput.current?.focus();
    const done = await run(table);
    if (!done) return;
    const { id: made, isGuessed } = done.value;
    router.push(importPath(scope, made, { guessed: isGuessed ? "1" : null }));
  }

  const drag = (isNowOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(isNowOver);
  };
  function drop(event: DragEvent) {
    drag(false)(event);
    const { files } = event.dataTransfer;
    if (fileInput.current && files.length > 0) fileInput.current.files = files;
  }

  const hint = t("upload.fileHint", {
    mb: MAX_IMPORT_BYTES / MEGABYTE,
    count: MAX_IMPORT_ROWS,
  });
  const error = problem ? t(problem) : undefined;
  return (
    <Card
      aria-labelledby="upload"
      className={cn("p-4 sm:p-5", isOver && "border-accent bg-accent-soft")}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={drop}
    >
      <CardTitle id="upload">{t("upload.title")}</CardTitle>
      <form noValidate className="mt-3 grid gap-4" onSubmit={(event) => void submit(event)}>
        {!problem && <FailureNotice failure={failure} />}
        <FieldFrame id={`${id}-file`} label={t("upload.file")} hint={hint} error={error}>
          <input
            ref={fileInput}
            type="file"
            name="file"
            accept=".csv,.tsv,.txt,.xlsx"
            className="input h-auto py-1 file:mr-3 file:rounded file:border-0 file:bg-sunken file:px-2 file:py-1 file:text-ink"
            {...controlProps(`${id}-file`, hint, error)}
          />
        </FieldFrame>
        <TextArea
          id={`${id}-rows`}
          name="rows"
          label={t("upload.paste")}
          hint={t("upload.pasteHint")}
          rows={4}
          spellCheck={false}
          className="font-mono text-sm whitespace-pre"
        />
        <div>
          <SubmitButton isPending={isPending}>{t("upload.read")}</SubmitButton>
        </div>
      </form>
    </Card>
  );
}

function readForm(fields: FormData): GivenTable | null {
  const file = fields.get("file");
  if (file instanceof File && file.name) return { name: file.name, content: file };
  const rows = fields.get("rows");
  return typeof rows === "string" && rows.trim() !== ""
    ? { name: "", content: new Blob([rows]) }
    : null;
}

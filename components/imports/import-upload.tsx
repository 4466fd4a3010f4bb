"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type DragEvent, useRef, useState } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { type GivenTable, TableForm } from "#components/forms/table-form.tsx";
import { postFile, useAction } from "#components/forms/use-action.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { cn } from "#lib/cn.ts";
import { fileNameHeader } from "#lib/files/file-name.ts";
import { MAX_IMPORT_BYTES, MAX_IMPORT_ROWS } from "#lib/imports/rules.ts";
import { importPath, importUploadPath } from "#lib/imports/search.ts";

const MEGABYTE = 1024 * 1024;

/** Takes a chosen or dropped file, or pasted rows, and opens the import made of them. */
export function ImportUpload() {
  const t = useTranslations("imports");
  const scope = useScope();
  const router = useRouter();
  const fileInput = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const { run, isPending, failure } = useAction(({ name, content }: GivenTable) =>
    postFile<{ id: string; isGuessed: boolean }>(
      importUploadPath(scope),
      content,
      name ? fileNameHeader(name) : {},
    ),
  );

  async function upload(table: GivenTable) {
    const done = await run(table);
    if (!done) return;
    const { id, isGuessed } = done.value;
    router.push(importPath(scope, id, { guessed: isGuessed ? "1" : null }));
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

  return (
    <Card
      aria-labelledby="upload"
      className={cn("p-4 sm:p-5", isOver && "border-accent bg-accent-soft")}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={drop}
    >
      <CardTitle id="upload">{t("upload.title")}</CardTitle>
      <div className="mt-3">
        <TableForm
          mostBytes={MAX_IMPORT_BYTES}
          words={{
            file: t("upload.file"),
            fileHint: t("upload.fileHint", {
              mb: MAX_IMPORT_BYTES / MEGABYTE,
              count: MAX_IMPORT_ROWS,
            }),
            nothing: t("upload.nothing"),
            heavy: t("file.heavy"),
            paste: t("upload.paste"),
            pasteHint: t("upload.pasteHint"),
            submit: t("upload.read"),
          }}
          onSubmit={(table) => void upload(table)}
          {...{ fileInput, isPending, failure }}
        />
      </div>
    </Card>
  );
}

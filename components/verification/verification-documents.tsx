"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useId, useRef, useState } from "react";
import { DOCUMENT_KINDS, MAX_DOCUMENT_BYTES, type DocumentKind } from "#contract/names.ts";
import type { Verification, VerificationDocument } from "#contract/verification.ts";
import {
  FailureNotice,
  postFile,
  useAction,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { SelectField } from "#components/ui/forms/fields.tsx";
import { FileField } from "#components/ui/forms/file-field.tsx";
import { ScrollText } from "#components/ui/icons.tsx";
import { fileNameHeader } from "#lib/files/file-name.ts";
import { removeDocumentAction } from "#lib/verification/actions.ts";
import { ACCEPTED_FILES, fileSizeOf, uploadPath } from "#lib/verification/rules.ts";

interface VerificationDocumentsProps {
  verification: Verification;
  isOpen: boolean;
  onChanged: (changed: Verification) => void;
}

export function VerificationDocuments({
  verification: { documents },
  isOpen,
  onChanged,
}: VerificationDocumentsProps) {
  const t = useTranslations("verification.documents");
  return (
    <>
      {documents.length === 0 ? (
        <p className="text-muted">{t("none")}</p>
      ) : (
        <ul className="divide-y border-y">
          {documents.map((document) => (
            <DocumentRow key={document.id} {...{ document, isOpen, onChanged }} />
          ))}
        </ul>
      )}
      {isOpen && <Upload onUploaded={onChanged} />}
    </>
  );
}

interface DocumentRowProps extends Pick<VerificationDocumentsProps, "isOpen" | "onChanged"> {
  document: VerificationDocument;
}

function DocumentRow({ document, isOpen, onChanged }: DocumentRowProps) {
  const t = useTranslations("verification.documents");
  const format = useFormat();
  const { run, isPending, failure } = useSellerAction(removeDocumentAction);
  const { id, name, bytes, uploaded_at } = document;

  async function remove() {
    const result = await run({ id });
    if (result) onChanged(result.value);
  }

  return (
    <li className="py-2.5">
      <FailureNotice failure={failure} />
      <div className="flex items-center gap-3">
        <ScrollText aria-hidden className="size-4 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <p className="truncate">{name}</p>
          <p className="text-sm text-muted">
            {t(`kinds.${document.kind as DocumentKind}`)} · {fileSizeOf(bytes)} ·{" "}
            {format.date(uploaded_at)}
          </p>
        </div>
        {isOpen && (
          <Button
            look="quiet"
            isPending={isPending}
            aria-label={t("removeOf", { name })}
            onClick={() => void remove()}
          >
            {t("remove")}
          </Button>
        )}
      </div>
    </li>
  );
}

interface Chosen {
  kind: DocumentKind;
  file: File;
}

function Upload({ onUploaded }: { onUploaded: (changed: Verification) => void }) {
  const t = useTranslations("verification.documents");
  const scope = useScope();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<"empty" | "large" | null>(null);
  const { run, isPending, failure } = useAction(({ kind, file }: Chosen) =>
    postFile<Verification>(uploadPath(scope, kind), file, fileNameHeader(file.name)),
  );

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const file = fields.get("file");
    if (!(file instanceof File) || file.size === 0) return setProblem("empty");
    if (file.size > MAX_DOCUMENT_BYTES) return setProblem("large");
    setProblem(null);
    const kind = DOCUMENT_KINDS.find((one) => one === fields.get("kind")) ?? "other";
    const result = await run({ kind, file });
    if (!result) return;
    form.current?.reset();
    onUploaded(result.value);
  }

  const refused = failure?.kind === "validation" ? failure.fields["content"]?.join(" ") : null;
  const error = problem ? t(`upload.${problem}`) : (refused ?? undefined);
  return (
    <form ref={form} noValidate className="mt-4" onSubmit={(event) => void submit(event)}>
      {!error && <FailureNotice failure={failure} />}
      <div className="grid gap-4 sm:grid-cols-[12rem_minmax(0,1fr)_auto] sm:items-start">
        <SelectField
          id={`${id}-kind`}
          name="kind"
          label={t("kind")}
          options={DOCUMENT_KINDS.map((kind) => [kind, t(`kinds.${kind}`)])}
        />
        <FileField
          id={`${id}-file`}
          name="file"
          accept={ACCEPTED_FILES.join(",")}
          label={t("file")}
          hint={t("fileHint")}
          error={error}
        />
        <Button type="submit" isPending={isPending} className="sm:mt-6">
          {t("upload.label")}
        </Button>
      </div>
    </form>
  );
}

import { useTranslations } from "next-intl";
import { type ClipboardEvent, type DragEvent, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { AccountImage } from "#contract/account.ts";
import { IMAGE_PROBLEMS, type ImageProblem } from "#contract/field-messages.ts";
import { MAX_IMAGE_BYTES } from "#contract/names.ts";
import { useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { ProgressBar } from "#components/ui/charts/progress-bar.tsx";
import { FieldError } from "#components/ui/forms/fields.tsx";
import { Plus } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";
import { describeFailure, isFailure, type Failure, type FailureText } from "#lib/failure.ts";
import { ACCEPTED_IMAGES, imageUploadPath } from "#lib/files/images.ts";

interface ImageFieldProps {
  label: string;
  hint?: string;
  /** Addresses in display order. */
  images: string[];
  most: number;
  onChange: (images: string[]) => void;
  /** Tells the form to wait with saving while an image is being uploaded. */
  onBusy: (isBusy: boolean) => void;
  error?: string | undefined;
}

/**
 * Images from a file picker, dropped or pasted. Each is uploaded at once; the form is saved with
 * their addresses.
 */
export function ImageField(props: ImageFieldProps) {
  const { label, hint, images, most, onChange } = props;
  const t = useTranslations("ui.image");
  const id = useId();
  const [isOver, setOver] = useState(false);
  const [said, setSaid] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  // The index of the image that the chosen file replaces; null to add an image.
  const place = useRef<number | null>(null);
  const { share, problem, start } = useUpload(props);
  const tAll = useTranslations();
  const error =
    problem === null
      ? props.error
      : typeof problem === "string"
        ? tAll(`ui.image.problem.${problem}`)
        : wordsOf(describeFailure(tAll, problem, "write"));

  async function take(file: File | undefined, at: number | null) {
    if (!file || share !== null) return;
    const url = await start(file);
    if (url === null) return;
    const others = images.filter((one, index) => one !== url || index === at);
    onChange(at === null ? [...others, url].slice(-most) : images.with(at, url));
    setSaid(t("done"));
  }

  function choose(at: number | null) {
    place.current = at;
    input.current?.click();
  }

  const fileOf = ({ files }: DataTransfer) =>
    [...files].find(({ type }) => type.startsWith("image/")) ?? files[0];
  const free = images.length < most ? null : most - 1;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a file is dropped on the whole field; the button does the same
    <fieldset
      aria-describedby={error ? `${id}-error` : `${id}-hint`}
      className={cn(
        "rounded border border-dashed p-3",
        isOver && "border-accent bg-sunken forced-colors:outline-2",
      )}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        void take(fileOf(event.dataTransfer), free);
      }}
      onPaste={(event: ClipboardEvent) => {
        if (event.clipboardData.files.length === 0) return;
        event.preventDefault();
        void take(fileOf(event.clipboardData), free);
      }}
    >
      <legend className="field-label float-left mb-1 w-full">{label}</legend>
      <input
        ref={input}
        type="file"
        aria-label={label}
        tabIndex={-1}
        accept={ACCEPTED_IMAGES.join(",")}
        className="sr-only"
        onChange={({ target }) => {
          void take(target.files?.[0], place.current);
          target.value = "";
        }}
      />
      <div className="clear-both grid gap-3">
        <ul className="grid gap-3 empty:hidden">
          {images.map((url, at) => (
            <ImageRow
              key={url}
              {...{ url, at }}
              onReplace={() => choose(at)}
              onFirst={() => onChange([url, ...images.toSpliced(at, 1)])}
              onRemove={() => {
                flushSync(() => onChange(images.toSpliced(at, 1)));
                setSaid(t("removed"));
                chooser.current?.focus();
              }}
            />
          ))}
        </ul>
        {share !== null && (
          <div className="grid gap-1">
            <ProgressBar
              label={label}
              text={
                share < 1
                  ? t("uploading", { percent: Math.round(share * 100) })
                  : t("preparing")
              }
              done={share}
              total={1}
            />
            <p aria-hidden className="text-xs text-muted">
              {share < 1
                ? t("uploading", { percent: Math.round(share * 100) })
                : t("preparing")}
            </p>
          </div>
        )}
        <div>
          {free === null && (
            <Button
              ref={chooser}
              look="quiet"
              isPending={share !== null}
              onClick={() => choose(null)}
              className="-ml-3"
            >
              {share === null && <Plus aria-hidden className="size-4" />}
              {images.length === 0 ? t("choose") : t("another")}
            </Button>
          )}
          {error ? (
            <div role="alert">
              <FieldError id={`${id}-error`}>{error}</FieldError>
            </div>
          ) : (
            <p id={`${id}-hint`} className="text-xs text-muted">
              {hint} {t("hint")}
            </p>
          )}
        </div>
        <p role="status" className="sr-only">
          {said}
        </p>
      </div>
    </fieldset>
  );
}

interface ImageRowProps {
  url: string;
  at: number;
  onReplace: () => void;
  onFirst: () => void;
  onRemove: () => void;
}

function ImageRow({ url, at, onReplace, onFirst, onRemove }: ImageRowProps) {
  const t = useTranslations("ui.image");
  const number = { at: at + 1 };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {/* oxlint-disable-next-line next/no-img-element -- it is in its final size already, at the billing service */}
      <img
        src={url}
        alt={t("shown", number)}
        width={72}
        height={72}
        referrerPolicy="no-referrer"
        className="size-18 rounded border bg-sunken object-contain dark:bg-white"
      />
      <div className="flex flex-wrap gap-1">
        <Button look="quiet" aria-label={t("replaceOf", number)} onClick={onReplace}>
          {t("replace")}
        </Button>
        {at > 0 && (
          <Button look="quiet" aria-label={t("firstOf", number)} onClick={onFirst}>
            {t("first")}
          </Button>
        )}
        <Button look="quiet" aria-label={t("removeOf", number)} onClick={onRemove}>
          {t("remove")}
        </Button>
      </div>
    </li>
  );
}

const wordsOf = ({ title, advice }: FailureText) => `${title} ${advice}`;

type Problem = ImageProblem | "lost" | Failure;

function useUpload({ onBusy }: Pick<ImageFieldProps, "onBusy">) {
  const scope = useScope();
  /** How much has been sent, 0 to 1; null without an upload. */
  const [share, setShare] = useState<number | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  /** @returns the address of the stored image; null if there is a problem */
  async function start(file: File): Promise<string | null> {
    setProblem(null);
    if (file.size > MAX_IMAGE_BYTES) {
      setProblem("bytes");
      return null;
    }
    setShare(0);
    onBusy(true);
    const result = await send(imageUploadPath(scope), file, setShare);
    setShare(null);
    onBusy(false);
    if (typeof result === "string") return result;
    setProblem(result.problem);
    return null;
  }

  return { share, problem, start };
}

/** Uses XMLHttpRequest, because fetch() does not report upload progress. */
function send(
  path: string,
  file: File,
  onProgress: (share: number) => void,
): Promise<string | { problem: Problem }> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const fail = () => resolve({ problem: "lost" });
    request.open("POST", path);
    request.responseType = "json";
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onProgress(total === 0 ? 0 : loaded / total),
    );
    request.addEventListener("error", fail);
    request.addEventListener("abort", fail);
    request.addEventListener("load", () => {
      const answer: unknown = request.response;
      if (request.status === 200) resolve((answer as AccountImage).url);
      else resolve({ problem: isFailure(answer) ? problemOf(answer) : "lost" });
    });
    request.send(file);
  });
}

function problemOf(failure: Failure): Problem {
  if (failure.kind !== "validation") return failure;
  const words = failure.fields["content"]?.join(" ");
  return PROBLEMS.find((one) => IMAGE_PROBLEMS[one] === words) ?? failure;
}

const PROBLEMS = Object.keys(IMAGE_PROBLEMS) as ImageProblem[];

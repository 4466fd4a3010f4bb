"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useId } from "react";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { judgeImportAction } from "#lib/imports/actions.ts";
import type { ImportView } from "#lib/imports/queries.ts";

/** The questions about the whole import that the seller has to answer. */
export function ImportQuestions({ view }: { view: ImportView }) {
  const { run, counts, takesPaidUntil } = view;
  const hasDates = run.columns.includes("paid_until");
  return (
    <>
      {hasDates && run.date_order_by !== "file" && <DateOrderForm run={run} />}
      {takesPaidUntil !== "yes" && (
        <UnpaidForm
          {...{ run }}
          count={counts.paid}
          isForOtherKey={takesPaidUntil === "other_key"}
        />
      )}
    </>
  );
}

type Run = Pick<ImportView, "run">;

function DateOrderForm({ run }: Run) {
  const t = useTranslations("imports.dates");
  return (
    <Question
      title={t("question")}
      text={run.date_order_by === "none" ? t("text") : t("said", { order: t(run.date_order) })}
      name="date_order"
      value={run.date_order}
      options={[
        { value: "dmy", label: t("dmyLabel") },
        { value: "mdy", label: t("mdyLabel") },
      ]}
      read={(chosen) => ({ id: run.id, date_order: chosen === "mdy" ? "mdy" : "dmy" })}
    />
  );
}

function UnpaidForm({
  run,
  count,
  isForOtherKey,
}: Run & { count: number; isForOtherKey: boolean }) {
  const t = useTranslations("imports.unpaid");
  return (
    <Question
      title={t("title", { count })}
      text={
        isForOtherKey ? t("otherKey", { option: "--scopes read,write,account" }) : t("text")
      }
      name="unpaid_choice"
      value={run.unpaid_choice}
      options={[
        { value: "pending", label: t("pending") },
        { value: "skip", label: t("skip") },
      ]}
      read={(chosen) => ({
        id: run.id,
        unpaid_choice: chosen === "skip" ? "skip" : "pending",
      })}
    />
  );
}

type Choice = Parameters<typeof judgeImportAction>[1];

interface QuestionProps {
  title: string;
  text: string;
  name: string;
  value: string | null;
  options: { value: string; label: string }[];
  read: (chosen: string) => Choice;
}

function Question({ title, text, name, value, options, read }: QuestionProps) {
  const t = useTranslations("imports.unpaid");
  const router = useRouter();
  const id = useId();
  const { run: send, isPending, failure } = useSellerAction(judgeImportAction);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get(name);
    if (typeof chosen !== "string") return;
    if (await send(read(chosen))) router.refresh();
  }

  return (
    <form
      className="mt-4 border-t pt-4"
      aria-label={title}
      onSubmit={(event) => void submit(event)}
    >
      <FailureNotice failure={failure} />
      <fieldset className="grid gap-2" aria-describedby={`${id}-text`}>
        <legend className="font-medium">{title}</legend>
        <p id={`${id}-text`} className="text-pretty text-muted">
          {text}
        </p>
        {options.map((option) => (
          <Option
            key={option.value}
            {...{ name }}
            {...option}
            isChosen={option.value === value}
          >
            {option.label}
          </Option>
        ))}
      </fieldset>
      <SubmitButton look="secondary" className="mt-3" isPending={isPending}>
        {t("save")}
      </SubmitButton>
    </form>
  );
}

interface OptionProps {
  name: string;
  value: string;
  isChosen: boolean;
  children: ReactNode;
}

const Option = ({ name, value, isChosen, children }: OptionProps) => (
  <label className="flex min-h-9 cursor-pointer items-center gap-2 rounded border px-3 py-1 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent max-md:min-h-11">
    <input
      type="radio"
      required
      name={name}
      value={value}
      defaultChecked={isChosen}
      className="accent-accent-strong outline-none"
    />
    {children}
  </label>
);

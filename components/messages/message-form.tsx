"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Check, RotateCcw } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef, useState, type FormEvent } from "react";
import { FailureNotice } from "#components/layout/failure-notice.tsx";
import { LeaveGuard } from "#components/layout/leave-guard.tsx";
import { useScope } from "#components/layout/seller-context.tsx";
import { fieldError, useSellerAction } from "#components/layout/use-action.ts";
import { Button } from "#components/ui/button.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { TextArea } from "#components/ui/text-area.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { LANGUAGES } from "#lib/i18n/languages.ts";
import { inWords } from "#lib/i18n/message.ts";
import { updateMessageAction } from "#lib/messages/actions.ts";
import { messagesQuery } from "#lib/messages/queries.ts";
import {
  messageProblem,
  OURS,
  PLACEHOLDERS,
  readMessage,
  type MessageKind,
} from "#lib/messages/rules.ts";
import { MessagePreview } from "./message-preview.tsx";

interface MessageFormProps {
  kind: MessageKind;
  saved: string;
}

export function MessageForm({ kind, saved }: MessageFormProps) {
  const t = useTranslations("messages");
  const inAll = useTranslations();
  const { body, setBody, submit, status, isDirty, isPending, failure } = useMessage(
    kind,
    saved,
  );
  const isReady = useHydrated();
  const area = useRef<HTMLTextAreaElement>(null);
  const problem = messageProblem(readMessage(body));

  function insert(text: string) {
    const field = area.current;
    if (!field) return;
    field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
    setBody(field.value);
    field.focus();
  }

  return (
    <Card className="p-4 sm:p-5">
      <LeaveGuard isDirty={isDirty} />
      <form
        method="post"
        noValidate
        aria-labelledby={`${kind}-title`}
        onSubmit={submit}
        className="grid gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]"
      >
        <div className="grid content-start gap-3">
          <div>
            <CardTitle id={`${kind}-title`}>{t(`kind.${kind}.title`)}</CardTitle>
            <p className="text-sm text-muted">{t(`kind.${kind}.note`)}</p>
          </div>
          {failure?.kind !== "validation" && <FailureNotice failure={failure} />}
          <TextArea
            ref={area}
            id={`${kind}-body`}
            label={t("text")}
            value={body}
            readOnly={!isReady}
            onChange={(event) => setBody(event.target.value)}
            error={problem === null ? fieldError(failure, "body") : inWords(inAll, problem)}
          />
          <Placeholders onInsert={insert} />
          <div className="flex flex-wrap items-center gap-2">
            <SubmitButton isPending={isPending}>{t("save")}</SubmitButton>
            {LANGUAGES.filter((language) => readMessage(body) !== OURS[language][kind]).map(
              (language) => (
                <Button
                  key={language}
                  look="quiet"
                  onClick={() => setBody(OURS[language][kind])}
                >
                  <RotateCcw aria-hidden className="size-4" />
                  {t(`ours.${language}`)}
                </Button>
              ),
            )}
            <span role="status" className="flex items-center gap-1 text-sm text-active">
              {status === "saved" && (
                <>
                  <Check aria-hidden className="size-4" /> {t("saved")}
                </>
              )}
            </span>
          </div>
        </div>
        <MessagePreview kind={kind} body={problem === null ? readMessage(body) : null} />
      </form>
    </Card>
  );
}

function Placeholders({ onInsert }: { onInsert: (text: string) => void }) {
  const t = useTranslations("messages");
  return (
    <ul aria-label={t("placeholders")} className="flex flex-wrap gap-1.5">
      {PLACEHOLDERS.map((name) => (
        <li key={name}>
          <Button
            title={t(`placeholder.${name}`)}
            className="h-7 px-2 font-mono text-xs max-md:px-3"
            onClick={() => onInsert(`{${name}}`)}
          >
            <span>
              {t.rich("insert", {
                mark: `{${name}}`,
                words: t(`placeholder.${name}`),
                hidden: (words) => <span className="sr-only">{words}</span>,
              })}
            </span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

function useMessage(kind: MessageKind, saved: string) {
  const scope = useScope();
  const queryClient = useQueryClient();
  const { run, isPending, failure } = useSellerAction(updateMessageAction);
  const [body, setBody] = useState(saved);
  const [kept, setKept] = useState(saved);
  const [status, setStatus] = useState<"saved" | null>(null);

  async function save() {
    setStatus(null);
    if (messageProblem(readMessage(body)) !== null || !(await run({ kind, body }))) return;
    setKept(body);
    setStatus("saved");
    void queryClient.invalidateQueries({ queryKey: messagesQuery(scope).queryKey });
  }

  return {
    body,
    setBody: (text: string) => {
      setBody(text);
      setStatus(null);
    },
    submit: (event: FormEvent) => {
      event.preventDefault();
      void save();
    },
    status,
    isDirty: readMessage(body) !== readMessage(kept),
    isPending,
    failure,
  };
}

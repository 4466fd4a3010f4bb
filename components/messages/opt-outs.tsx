"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type SubmitEvent, useState } from "react";
import { AddOptOutButton, RemoveOptOutButton } from "#components/forms/opt-out-buttons.tsx";
import { RefreshFailure } from "#components/forms/refresh-failure.tsx";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import { SendingAbsencePanel } from "#components/messages/sending/sending-absence.tsx";
import { usePermission } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { MessageSquareText } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { Day } from "#components/values/day.tsx";
import { useOptOutWay } from "#components/values/opt-out-words.tsx";
import type { OptOut } from "#contract/reminders.ts";
import { findOptOutsAction } from "#lib/messages/opt-outs/actions.ts";
import type { OptOutList, OptOutsResult } from "#lib/messages/opt-outs/rules.ts";

/** The recipients who want no reminders, how each opted out, and a search by phone or mail. */
export function OptOuts({ result }: { result: OptOutsResult }) {
  if ("failure" in result) return <RefreshFailure failure={result.failure} />;
  if ("absence" in result) return <SendingAbsencePanel absence={result.absence} />;
  return <OptOutPage newest={result} />;
}

function OptOutPage({ newest }: { newest: OptOutList }) {
  const t = useTranslations("optOuts");
  const router = useRouter();
  const mayWrite = usePermission("collection:write");
  const [words, setWords] = useState("");
  const [found, setFound] = useState<OptOutList | null>(null);
  const { run, isPending, failure } = useSellerAction(findOptOutsAction);
  const shown = found ?? newest;

  async function find(text: string) {
    const result = text === "" ? null : await run({ words: [text] });
    if (text === "") setFound(null);
    else if (result) setFound(result.value);
  }
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    void find(words.trim());
  }
  function onDone() {
    router.refresh();
    if (found) void find(words.trim());
  }

  return (
    <div className="grid max-w-3xl gap-4">
      <p className="max-w-2xl text-pretty text-muted">{t("intro")}</p>
      <div className="flex flex-wrap items-end gap-2">
        <form
          role="search"
          onSubmit={submit}
          className="flex min-w-0 flex-[1_1_20rem] items-end gap-2"
        >
          <div className="min-w-0 flex-1">
            <TextField
              id="opt-out-search"
              type="search"
              label={t("search")}
              value={words}
              onChange={(event) => {
                setWords(event.target.value);
                if (event.target.value === "") setFound(null);
              }}
            />
          </div>
          <Button type="submit" isPending={isPending}>
            {t("find")}
          </Button>
        </form>
        {mayWrite && <AddOptOutButton onDone={onDone} />}
      </div>
      {failure && <FailureNotice failure={failure} />}
      <p role="status" className="text-sm text-muted empty:sr-only">
        {found && t("found", { count: found.opt_outs.length })}
      </p>
      {shown.opt_outs.length > 0 ? (
        <Card aria-label={t("title")}>
          <ul className="divide-y">
            {shown.opt_outs.map((optOut) => (
              <Row key={optOut.id} {...{ optOut, mayWrite, onDone }} />
            ))}
          </ul>
        </Card>
      ) : (
        !found && (
          <StatePanel
            icon={MessageSquareText}
            title={t("empty.title")}
            text={t("empty.text")}
          />
        )
      )}
      {!found && shown.has_more && <p className="text-sm text-muted">{t("more")}</p>}
    </div>
  );
}

interface RowProps {
  optOut: OptOut;
  mayWrite: boolean;
  onDone: () => void;
}

function Row({ optOut, mayWrite, onDone }: RowProps) {
  const wayOf = useOptOutWay();
  const { phone, email, opted_out_at } = optOut;
  const [first, ...others] = [phone, email].filter(Boolean);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          {first}
          {others.length > 0 && (
            <span className="font-normal text-muted"> · {others.join(" · ")}</span>
          )}
        </p>
        <p className="text-sm text-pretty wrap-anywhere text-muted">
          <Day iso={opted_out_at} /> · {wayOf(optOut)}
        </p>
      </div>
      {mayWrite && <RemoveOptOutButton optOut={optOut} onDone={onDone} />}
    </li>
  );
}

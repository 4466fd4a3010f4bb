"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useScope, useSeller } from "#components/context/seller-context.tsx";
import { LeaveGuard } from "#components/forms/leave-guard.tsx";
import {
  FailureNotice,
  fieldText,
  useActionForm,
  useScopedAction,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import { Button, SubmitButton } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Checkbox, TextField } from "#components/ui/forms/fields.tsx";
import { Check, TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { saveNoticeChoicesAction, sendTestNoticeAction } from "#lib/notifications/actions.ts";
import {
  NOTICE_KINDS,
  NOTICE_WAYS,
  type NoticeOptions,
  type NoticeWay,
  type TestResult,
} from "#lib/notifications/rules.ts";
import { PushBrowsers } from "./push-browsers.tsx";

/** The notices that a member gets outside the desk. */
export function NoticeSettings(settings: NoticeOptions) {
  const t = useTranslations("notices");
  const { name } = useSeller();
  const { mode } = useScope();
  const { canMail, pushKey, browsers } = settings;
  return (
    <div className="grid max-w-3xl gap-4">
      <p className="max-w-2xl text-pretty text-muted">{t("intro", { seller: name, mode })}</p>
      {!canMail && <Missing title={t("noMail.title")} text={t("noMail.text")} />}
      {pushKey === null && <Missing title={t("noPush.title")} text={t("noPush.text")} />}
      <Choices {...settings} />
      {pushKey !== null && <PushBrowsers {...{ pushKey, browsers }} />}
      <Test />
    </div>
  );
}

function Missing({ title, text }: { title: string; text: string }) {
  return (
    <Notice look="warning" icon={TriangleAlert}>
      <p className="font-medium">{title}</p>
      <p>{text}</p>
    </Notice>
  );
}

function Choices({ choices, offered, email }: NoticeOptions) {
  const t = useTranslations("notices");
  const router = useRouter();
  const { time_zone } = useSeller();
  const [state, setState] = useState<"unchanged" | "changed" | "saved">("unchanged");
  const { form, isPending, failure, error } = useActionForm(
    useScopedAction(saveNoticeChoicesAction),
    {
      read: (fields) => ({
        mail: kindsIn(fields, "mail"),
        push: kindsIn(fields, "push"),
        morning_at: fieldText(fields, "morning_at"),
        shows_names: fieldText(fields, "shows_names") !== "",
      }),
      onDone: () => {
        setState("saved");
        router.refresh();
      },
    },
  );
  const kinds = NOTICE_KINDS.filter((kind) =>
    NOTICE_WAYS.some((way) => offered[way].includes(kind)),
  );
  return (
    <Card className="p-4 sm:p-5">
      <form {...form} noValidate className="grid gap-4" onChange={() => setState("changed")}>
        <LeaveGuard isDirty={state === "changed"} />
        <CardTitle id="notices">{t("form.title")}</CardTitle>
        <FailureNotice failure={failure} />
        <table aria-labelledby="notices" className="w-full text-left">
          <thead>
            <tr className="border-b text-sm text-muted">
              <th scope="col" className="py-2 font-medium">
                {t("form.kind")}
              </th>
              {NOTICE_WAYS.map((way) => (
                <th key={way} scope="col" className="w-20 px-1 py-2 text-center font-medium">
                  {t(`ways.${way}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y">
            {kinds.map((kind) => (
              <tr key={kind}>
                <th scope="row" className="py-2 pr-2 font-normal">
                  <span className="block font-medium">{t(`kinds.${kind}`)}</span>
                  <span className="block text-sm text-pretty text-muted">
                    {t(`about.${kind}`)}
                  </span>
                </th>
                {NOTICE_WAYS.map((way) => (
                  <td key={way} className="px-1 text-center">
                    {offered[way].includes(kind) && (
                      <label className="inline-flex size-11 items-center justify-center">
                        <input
                          type="checkbox"
                          name={way}
                          value={kind}
                          defaultChecked={choices[way].includes(kind)}
                          aria-label={t("form.choice", {
                            kind: t(`kinds.${kind}`),
                            way: t(`ways.${way}`),
                          })}
                          className="size-4 accent-accent-strong"
                        />
                      </label>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <p className="text-sm text-muted">{t("form.mailTo", { email })}</p>
        <TextField
          id="morning_at"
          name="morning_at"
          type="time"
          className="max-w-60"
          label={t("form.time")}
          defaultValue={choices.morning_at}
          hint={t("form.timeHint", { zone: time_zone })}
          error={error("morning_at")}
        />
        <Checkbox
          name="shows_names"
          defaultChecked={choices.shows_names}
          label={t("form.names")}
          hint={t("form.namesHint")}
        />
        <div className="flex items-center gap-3">
          <SubmitButton isPending={isPending}>{t("form.save")}</SubmitButton>
          <span role="status" className="flex items-center gap-1 text-sm text-active">
            {state === "saved" && (
              <>
                <Check aria-hidden className="size-4" /> {t("form.saved")}
              </>
            )}
          </span>
        </div>
      </form>
    </Card>
  );
}

/** The kinds that are checked for a way. */
function kindsIn(form: HTMLFormElement, way: NoticeWay) {
  const checked = new FormData(form).getAll(way);
  return NOTICE_KINDS.filter((kind) => checked.includes(kind));
}

function Test() {
  const t = useTranslations("notices.test");
  const { run, isPending, failure } = useSellerAction(sendTestNoticeAction);
  const [result, setResult] = useState<TestResult | null>(null);
  async function send() {
    setResult(null);
    const done = await run({});
    setResult(done?.value ?? null);
  }
  return (
    <Card className="grid gap-3 p-4 sm:p-5">
      <FailureNotice failure={failure} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <CardTitle>{t("title")}</CardTitle>
          <p className="text-sm text-muted">{t("text")}</p>
        </div>
        <Button isPending={isPending} onClick={() => void send()}>
          {t("send")}
        </Button>
      </div>
      <div role="status" className="empty:sr-only">
        {result && (
          <>
            <p>{t(`email.${result.mail}`)}</p>
            <p>{t("push", { count: result.browsers })}</p>
          </>
        )}
      </div>
    </Card>
  );
}

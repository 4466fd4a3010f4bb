"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import {
  FailureNotice,
  useScopedAction,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import {
  CircleCheck,
  CircleHelp,
  Clock3,
  FileX,
  Repeat,
  ShieldX,
  TriangleAlert,
} from "#components/ui/icons.tsx";
import { Moment } from "#components/values/day.tsx";
import { useFormat } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { FactRow } from "#components/ui/detail-row.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import {
  registerReceiverAction,
  renewReceiverAction,
  sendTestAction,
} from "#lib/receiver/actions.ts";
import { type ReceiverState, type RegisterResult } from "#lib/receiver/queries.ts";
import {
  RECEIVED_VERDICTS,
  type ReceivedVerdict,
  receiverStatusOf,
} from "#lib/receiver/rules.ts";
import { useReceiverRefresh } from "./receiver-secrets.tsx";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";

/** Duebook's own endpoint: registered by one click, or by pasting its URL. */
export function ReceiverCard({
  receiver,
  mayWrite,
}: {
  receiver: ReceiverState;
  mayWrite: boolean;
}) {
  const t = useTranslations("receiver.card");
  const refresh = useReceiverRefresh();
  const { run, isPending, failure } = useSellerAction(registerReceiverAction);
  const [done, setDone] = useState<RegisterResult | null>(null);

  async function register() {
    setDone(null);
    const answer = await run({});
    if (answer) setDone(answer.value);
    await refresh();
  }

  return (
    <Card aria-labelledby="receiver" className="p-4 sm:p-5">
      <CardTitle id="receiver">{t("title")}</CardTitle>
      <p className="mt-1 mb-4 text-pretty text-muted">{t("text")}</p>
      {receiver.url === null ? (
        <p>{t("noKey")}</p>
      ) : (
        <>
          <dl className="mb-4 divide-y border-y">
            <FactRow label={t("state")}>
              <State receiver={receiver} />
            </FactRow>
            <FactRow label={t("kept")}>
              <Counts counts={receiver.counts} />
            </FactRow>
          </dl>
          <h3 className="mb-2 font-medium">{t("address")}</h3>
          <CodeBlock text={receiver.url} copyLabel={t("copyAddress")} />
          {mayWrite && (
            <div className="mt-4 flex flex-wrap gap-2">
              <Button
                look={receiver.registered_at ? "secondary" : "primary"}
                isPending={isPending}
                onClick={() => void register()}
              >
                {t(receiver.registered_at ? "again" : "register")}
              </Button>
              {receiver.was_registered && <SendTest />}
              <Renew />
            </div>
          )}
          <div role="status" className="mt-4 empty:sr-only">
            {done && <Outcome {...done} />}
          </div>
          {failure && (
            <div className="mt-4 grid gap-3">
              <FailureNotice failure={failure} />
              {!isPassing(failure.kind) && <p className="text-muted">{t("cannot")}</p>}
            </div>
          )}
        </>
      )}
    </Card>
  );
}

const isPassing = (kind: string) =>
  ["unavailable", "rate_limited", "unanswered"].includes(kind);

function Outcome({ without_secret, refused }: RegisterResult) {
  const t = useTranslations("receiver.card");
  if (without_secret.length === 0 && refused.length === 0)
    return <Notice icon={CircleCheck}>{t("done")}</Notice>;
  return (
    <div className="grid gap-3">
      {refused.length > 0 && (
        <Notice look="warning" icon={TriangleAlert}>
          {t("refused", { events: refused.join(", ") })}
        </Notice>
      )}
      {without_secret.length > 0 && (
        <Notice look="warning" icon={TriangleAlert}>
          {t("partly", { events: without_secret.join(", ") })}
        </Notice>
      )}
    </div>
  );
}

function State({ receiver }: { receiver: ReceiverState }) {
  const t = useTranslations("receiver.card.states");
  const status = receiverStatusOf(receiver);
  const { last_verified_at, missing } = receiver;
  if (status === "partly") return t("partly", { events: missing.join(", ") });
  if (last_verified_at === null || status !== "verified") return t(status);
  return (
    <>
      {t("verified")} <Moment iso={last_verified_at} />
    </>
  );
}

function Counts({ counts }: Pick<ReceiverState, "counts">) {
  const format = useFormat();
  const some = RECEIVED_VERDICTS.filter((verdict) => counts[verdict]);
  if (some.length === 0) return format.count(0);
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {some.map((verdict) => (
        <li key={verdict} className="flex items-center gap-1.5">
          <VerdictBadge verdict={verdict} />
          {format.count(counts[verdict] ?? 0)}
        </li>
      ))}
    </ul>
  );
}

/** A button that requests an example event; its delivery appears in the list. */
function SendTest() {
  const t = useTranslations("receiver.test");
  const { run, isPending, failure } = useSellerAction(sendTestAction);

  async function send() {
    const answer = await run({});
    if (answer) showToast({ text: t(answer.value.is_offered ? "sent" : "notOffered") });
  }

  return (
    <>
      <Button isPending={isPending} onClick={() => void send()}>
        {t("action")}
      </Button>
      {failure && (
        <div className="order-last w-full">
          <FailureNotice failure={failure} />
        </div>
      )}
    </>
  );
}

function Renew() {
  const t = useTranslations("receiver.renew");
  const refresh = useReceiverRefresh();
  return (
    <ActionButton
      button={{ look: "quiet", children: t("action") }}
      title={t("title")}
      action={useScopedAction(renewReceiverAction)}
      read={() => ({})}
      label={t("confirm")}
      onDone={(_value, close) => {
        close();
        showToast({ text: t("done") });
        void refresh();
      }}
    >
      {() => <p>{t("text")}</p>}
    </ActionButton>
  );
}

const LOOKS: Record<ReceivedVerdict, BadgeLook> = {
  verified: { icon: CircleCheck, tone: "active" },
  repeated: { icon: Repeat, tone: "inactive" },
  late: { icon: Clock3, tone: "warning" },
  forged: { icon: ShieldX, tone: "danger" },
  unverified: { icon: CircleHelp, tone: "warning" },
  unreadable: { icon: FileX, tone: "danger" },
};

export function VerdictBadge({ verdict }: { verdict: ReceivedVerdict }) {
  const t = useTranslations("receiver.verdicts");
  return <Badge {...LOOKS[verdict]}>{t(verdict)}</Badge>;
}

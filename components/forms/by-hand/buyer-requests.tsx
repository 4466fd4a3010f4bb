import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { BuyerRequest } from "#contract/buyer-requests.ts";
import type { BuyerRequestKind } from "#contract/names.ts";
import {
  ScopedLink,
  useFormat,
  usePermission,
  useScope,
  useSeller,
} from "#components/context/seller-context.tsx";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import { LeaveFields } from "#components/forms/leave-fields.tsx";
import {
  fieldText,
  useScopedAction,
  type ActionResult,
} from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { olderRequestsQuery } from "#lib/collection/by-hand/queries.ts";
import { failureOf } from "#lib/failure.ts";
import { isUnsaid, NOTHING_SAID, wordsOfBuyer } from "#lib/money/leave-reasons.ts";
import { answerBuyerRequestAction } from "#lib/subscriptions/actions.ts";
import { AskingButton } from "./decisions.tsx";
import { PaymentLines } from "./payment-lines.tsx";

interface BuyerRequestsCardProps {
  requests: BuyerRequest[];
  /** The id of the last request, if older ones follow. */
  before: string | null;
}

/** Unanswered requests that buyers made on their page; renders nothing without any. */
export function BuyerRequestsCard({ requests, before }: BuyerRequestsCardProps) {
  const t = useTranslations("byHand.requests");
  if (requests.length === 0) return null;
  return (
    <Card aria-labelledby="buyer-requests" className="mb-4 p-4 sm:p-5">
      <CardTitle id="buyer-requests">{t("title")}</CardTitle>
      <RequestRows requests={requests} />
      {before !== null && <OlderRequests after={before} />}
    </Card>
  );
}

/** Loads the requests that follow the first page, page by page. */
function OlderRequests({ after }: { after: string }) {
  const t = useTranslations("byHand.requests");
  const [isAsked, setAsked] = useState(false);
  const query = useInfiniteQuery({
    ...olderRequestsQuery(useScope(), after),
    enabled: isAsked,
  });
  const older = query.data?.pages.flatMap(({ requests }) => requests) ?? [];
  return (
    <>
      {older.length > 0 && <RequestRows requests={older} />}
      {query.error ? (
        <FailureLine failure={failureOf(query.error)} query={query} />
      ) : (
        (!query.data || query.hasNextPage) && (
          <Button
            isPending={query.isFetching}
            className="mt-2"
            onClick={() => (query.data ? void query.fetchNextPage() : setAsked(true))}
          >
            {t("more")}
          </Button>
        )
      )}
    </>
  );
}

function RequestRows({ requests }: { requests: BuyerRequest[] }) {
  const t = useTranslations("byHand.requests");
  const format = useFormat();
  const mayAnswer = usePermission("subscriptions:cancel");
  return (
    <ul className="mt-2 divide-y">
      {requests.map((request) => (
        <li
          key={request.id}
          className="grid gap-x-6 gap-y-2 py-3 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center"
        >
          <div className="min-w-0">
            <p>
              <ScopedLink
                href={`/subscriptions/${encodeURIComponent(request.subscription_id)}`}
                className="font-medium wrap-anywhere underline decoration-line-strong underline-offset-2"
              >
                {request.full_name}
              </ScopedLink>{" "}
              {request.until === null
                ? t("stop", { product: request.product_name })
                : t("pause", {
                    product: request.product_name,
                    day: format.date(request.until),
                  })}
            </p>
            <PaymentLines
              lines={[request.words, t("asked", { day: format.date(request.asked_at) })]}
            />
          </div>
          {mayAnswer && <AnswerButtons request={request} />}
        </li>
      ))}
    </ul>
  );
}

/** The result of an answer that lacks a reason; the fields of the reason show it. */
const REASON_LACKING: ActionResult<null> = {
  ok: false,
  failure: { kind: "validation", fields: { leaving: [] }, detail: null },
};

function AnswerButtons({ request }: { request: BuyerRequest }) {
  const t = useTranslations("byHand.requests");
  const answer = useScopedAction(answerBuyerRequestAction);
  const { needs_leave_reason } = useSeller();
  const { id, full_name: name, until } = request;
  const kind = request.kind as BuyerRequestKind;
  const [leaving, setLeaving] = useState(() => wordsOfBuyer(request.words));
  const isLacking = needs_leave_reason && isUnsaid(leaving);
  const isStop = (decision: "accept" | "decline") => decision === "accept" && kind === "stop";
  const button = (decision: "accept" | "decline") => (
    <AskingButton
      button={t(`${decision}.button`)}
      title={t(`${decision}.title`, { name })}
      text={decision === "accept" ? t(`does.${kind}`) : t("decline.text")}
      save={t(`${decision}.button`)}
      done={t(`${decision}.done`)}
      action={async (form) =>
        isStop(decision) && isLacking
          ? REASON_LACKING
          : answer({
              id,
              subscription_id: request.subscription_id,
              decision,
              next_billing_cycle:
                decision === "accept" && until !== null ? fieldText(form, "until") : null,
              answer: fieldText(form, "answer"),
              leaving: isStop(decision) ? leaving : NOTHING_SAID,
            })
      }
    >
      {(error) => (
        <>
          {isStop(decision) && (
            <LeaveFields
              {...{ leaving, setLeaving }}
              isLacking={error("leaving") !== undefined && isLacking}
            />
          )}
          {decision === "accept" && until !== null && (
            <TextField
              id="until"
              name="until"
              type="date"
              label={t("until")}
              defaultValue={until}
              error={error("next_billing_cycle") ?? error("subscription_id")}
            />
          )}
          <TextField
            id="answer"
            name="answer"
            autoComplete="off"
            maxLength={500}
            isOptional
            label={t("answer")}
            error={error("answer")}
          />
        </>
      )}
    </AskingButton>
  );
  return (
    <div className="flex flex-wrap gap-2">
      {button("accept")}
      {button("decline")}
    </div>
  );
}

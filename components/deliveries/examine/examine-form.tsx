import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useMemo, useState, type FormEvent } from "react";
import { Moment } from "#components/values/moment.tsx";
import { useScope, useSeller } from "#components/shell/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { PasswordField } from "#components/ui/forms/password-field.tsx";
import { SubmitButton } from "#components/ui/forms/submit-button.tsx";
import { TextArea } from "#components/ui/forms/text-area.tsx";
import { TextField } from "#components/ui/forms/text-field.tsx";
import type { Attempt, Delivery } from "#contract/deliveries.ts";
import { readHeaders } from "#lib/deliveries/doctor/headers/rules.ts";
import { readMoment } from "#lib/deliveries/doctor/moments/rules.ts";
import { readDelivery, type Pasted } from "#lib/deliveries/doctor/reading/rules.ts";
import { requestText } from "#lib/deliveries/doctor/repeating/rules.ts";
import { examine, type Case, type Examination } from "#lib/deliveries/doctor/rules.ts";
import type { DoctorSearch } from "#lib/deliveries/doctor/search.ts";
import type { Parts } from "#lib/deliveries/doctor/trying/rules.ts";
import type { ReceivedDelivery } from "#lib/receiver/queries.ts";
import { deliveriesQuery, deliveryQuery } from "#lib/deliveries/queries.ts";
import { parseDeliverySearch } from "#lib/deliveries/search.ts";
import { canSign } from "#lib/signature.ts";
import { DoctorPick } from "./doctor-pick.tsx";

interface DoctorFormProps {
  picked: DoctorSearch;
  /** What was picked of the log, once it is there. */
  delivery: Delivery | undefined;
  attempt: Attempt | undefined;
  /** One that came to the receiver here, once it is there. */
  received: ReceivedDelivery | undefined;
  onPick: (next: DoctorSearch) => void;
  onChange: () => void;
  onExamined: (given: Case, examination: Examination) => void;
}

const EMPTY = { secret: "", others: "", computed: "", moment: "" };
type Fields = typeof EMPTY;
type Problem = Partial<Record<"delivery" | "moment", string>>;

/** Its fields have no names: nothing of them can be sent, even while the page is not at work yet. */
export function DoctorForm({
  picked,
  delivery,
  attempt,
  received,
  onPick,
  onChange,
  onExamined,
}: DoctorFormProps) {
  const t = useTranslations("doctor.form");
  const id = useId();
  const { time_zone } = useSeller();
  // Null while nobody wrote: then it is what was picked.
  const [written, setWritten] = useState<string | null>(null);
  const [fields, setFields] = useState(EMPTY);
  const [problem, setProblem] = useState<Problem>({});
  const [isPending, setPending] = useState(false);
  const request = received ? { url: "/", ...received } : attempt?.request;
  const came_at = received?.received_at ?? attempt?.started_at;
  const asPicked = request && requestText(request);
  const text = written ?? asPicked ?? "";
  // Reading a long paste takes a while: not again for each letter of another field.
  const pasted = useMemo(() => readDelivery(text), [text]);
  const findSent = useSentDelivery();
  const changed = () => {
    setProblem({});
    onChange();
  };
  const field = (name: keyof Fields) => ({
    id: `${id}-${name}`,
    value: fields[name],
    autoComplete: "off",
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => {
      setFields({ ...fields, [name]: event.currentTarget.value });
      changed();
    },
  });

  async function submit(event: FormEvent) {
    event.preventDefault();
    const moment = readMoment(fields.moment, time_zone);
    const wrong: Problem = {
      ...(!pasted && { delivery: t("blank") }),
      ...(moment === "unreadable" && { moment: t("badMoment") }),
    };
    setProblem(wrong);
    if (!pasted || moment === "unreadable") return;
    const isAsPicked = written === null || written === asPicked;
    const given: Case = {
      came: pasted,
      secrets: [fields.secret, ...fields.others.split(/\r?\n/)].filter(
        (one) => one.trim() !== "",
      ),
      now: Date.now(),
      received_at: moment ?? (isAsPicked && came_at ? Date.parse(came_at) : null),
      computed: fields.computed,
      sent: attempt ? partsOf(attempt) : null,
    };
    setPending(true);
    try {
      given.sent ??= await findSent(pasted);
      onExamined(given, await examine(given));
    } finally {
      setPending(false);
    }
  }

  return (
    <Card aria-labelledby={`${id}-title`} className="p-4 sm:p-5">
      <CardTitle id={`${id}-title`}>{t("title")}</CardTitle>
      <form
        method="post"
        noValidate
        autoComplete="off"
        className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4"
        onSubmit={(event) => void submit(event)}
      >
        {received && (
          <p className="text-sm text-muted">
            {t.rich("received", { moment: () => <Moment iso={received.received_at} /> })}
          </p>
        )}
        <DoctorPick
          picked={picked}
          delivery={delivery}
          onPick={(next) => {
            setWritten(null);
            setProblem({});
            onPick(next);
          }}
        />
        <div>
          <TextArea
            id={`${id}-delivery`}
            label={t("delivery")}
            hint={t("deliveryHint")}
            error={problem.delivery}
            className="font-mono text-xs leading-5"
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={(event) => {
              setWritten(event.currentTarget.value);
              changed();
            }}
          />
          {pasted && <WhatWasRead pasted={pasted} />}
        </div>
        <PasswordField
          label={t("secret")}
          hint={t("secretHint")}
          required={false}
          {...field("secret")}
        />
        <Disclosure title={t("more")} className="font-medium">
          <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-4">
            <TextArea
              label={t("others")}
              hint={t("othersHint")}
              className="font-mono text-xs leading-5"
              {...field("others")}
            />
            <TextField
              label={t("computed")}
              hint={t("computedHint")}
              isOptional
              {...field("computed")}
            />
            <TextField
              label={t("moment")}
              hint={t("momentHint", { zone: time_zone })}
              error={problem.moment}
              isOptional
              {...field("moment")}
            />
          </div>
        </Disclosure>
        <div className="flex justify-end">
          <SubmitButton isPending={isPending} className="h-9" disabled={!isAble()}>
            {t("examine")}
          </SubmitButton>
        </div>
      </form>
    </Card>
  );
}

// While the server renders, nobody knows of the browser.
const isAble = () => typeof window === "undefined" || canSign();

function WhatWasRead({ pasted }: { pasted: Pasted }) {
  const t = useTranslations("doctor.read");
  const { form, headers, body } = pasted;
  const bytes = new TextEncoder().encode(body).length;
  return (
    <p className="mt-1 text-xs text-muted" role="status">
      {t("counts", { form: t(form), headers: headers.length, bytes })}
    </p>
  );
}

/** Asks the service's log for the delivery that was pasted: what was sent tells what was changed. */
function useSentDelivery() {
  const scope = useScope();
  const queryClient = useQueryClient();
  return async ({ headers }: Pasted): Promise<Parts | null> => {
    const parts = Object.values(readHeaders(headers).headers);
    try {
      const { deliveries } = await queryClient.fetchQuery(
        deliveriesQuery(scope, parseDeliverySearch({})),
      );
      const same = deliveries.find(({ event_id }) => parts.includes(event_id));
      if (!same) return null;
      const { attempt_list } = await queryClient.fetchQuery(
        deliveryQuery(scope, String(same.id)),
      );
      const sent = attempt_list.map(partsOf);
      return sent.find(({ timestamp }) => parts.includes(timestamp)) ?? sent.at(-1) ?? null;
    } catch {
      // The log is a help, and nothing that the examination needs.
      return null;
    }
  };
}

const partsOf = ({ request: { headers, body } }: Attempt): Parts => ({
  id: headers["webhook-id"] ?? "",
  timestamp: headers["webhook-timestamp"] ?? "",
  body,
});

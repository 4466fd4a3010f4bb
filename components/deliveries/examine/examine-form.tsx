import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useMemo, useState, type FormEvent } from "react";
import { Moment } from "#components/values/day.tsx";
import { useScope, useSeller } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { PasswordField } from "#components/ui/forms/password-field.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { TextArea, TextField } from "#components/ui/forms/fields.tsx";
import type { Attempt, Delivery } from "#contract/deliveries.ts";
import {
  type PastedRequest,
  readHeaders,
  readMoment,
  readRequest,
  requestText,
} from "#lib/deliveries/examine/request.ts";
import {
  examineDelivery,
  type ExaminedDelivery,
  type Examination,
} from "#lib/deliveries/examine/examine.ts";
import { type ExamineSearch, parseDeliverySearch } from "#lib/deliveries/search.ts";
import type { DeliveryParts } from "#lib/deliveries/examine/explain-signature.ts";
import type { ReceivedDeliveryDetails } from "#lib/receiver/queries.ts";
import { deliveriesQuery, deliveryQuery } from "#lib/deliveries/queries.ts";
import { canSign } from "#lib/signature.ts";
import { DeliveryPicker } from "./delivery-picker.tsx";

interface ExamineFormProps {
  picked: ExamineSearch;
  delivery: Delivery | undefined;
  attempt: Attempt | undefined;
  received: ReceivedDeliveryDetails | undefined;
  onPick: (next: ExamineSearch) => void;
  onChange: () => void;
  onExamined: (given: ExaminedDelivery, examination: Examination) => void;
}

const EMPTY = { secret: "", others: "", moment: "" };
type Fields = typeof EMPTY;
type Problem = Partial<Record<"delivery" | "moment", string>>;

/**
 * The form of the signature check. Its fields have no names, so that no browser submits them, even
 * before hydration.
 */
export function ExamineForm({
  picked,
  delivery,
  attempt,
  received,
  onPick,
  onChange,
  onExamined,
}: ExamineFormProps) {
  const t = useTranslations("examine.form");
  const id = useId();
  const { time_zone } = useSeller();
  // Null until the user edits the text; until then the field shows the picked delivery.
  const [edited, setEdited] = useState<string | null>(null);
  const [fields, setFields] = useState(EMPTY);
  const [problem, setProblem] = useState<Problem>({});
  const [isPending, setPending] = useState(false);
  const request = received ? { url: "/", ...received } : attempt?.request;
  const receivedAt = received?.received_at ?? attempt?.started_at;
  const pickedText = request && requestText(request);
  const text = edited ?? pickedText ?? "";
  // Memoised, because parsing a long text for each key press in another field would be slow.
  const pasted = useMemo(() => readRequest(text), [text]);
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
    const isUnchanged = edited === null || edited === pickedText;
    const given: ExaminedDelivery = {
      request: pasted,
      secrets: [fields.secret, ...fields.others.split(/\r?\n/)].filter(
        (one) => one.trim() !== "",
      ),
      now: Date.now(),
      received_at: moment ?? (isUnchanged && receivedAt ? Date.parse(receivedAt) : null),
      sent: attempt ? partsOf(attempt) : null,
    };
    setPending(true);
    try {
      given.sent ??= await findSent(pasted);
      onExamined(given, await examineDelivery(given));
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
        <DeliveryPicker
          picked={picked}
          delivery={delivery}
          onPick={(next) => {
            setEdited(null);
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
              setEdited(event.currentTarget.value);
              changed();
            }}
          />
          {pasted && <ReadSummary pasted={pasted} />}
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

// The server cannot know what the browser supports.
const isAble = () => typeof window === "undefined" || canSign();

function ReadSummary({ pasted }: { pasted: PastedRequest }) {
  const t = useTranslations("examine.form");
  const { headers, body } = pasted;
  const bytes = new TextEncoder().encode(body).length;
  return (
    <p className="mt-1 text-xs text-muted" role="status">
      {t("summary", { headers: headers.length, bytes })}
    </p>
  );
}

/** Finds the pasted delivery among the newest sent ones: comparing both shows what was changed. */
function useSentDelivery() {
  const scope = useScope();
  const queryClient = useQueryClient();
  return async ({ headers }: PastedRequest): Promise<DeliveryParts | null> => {
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
      // The check works without the sent delivery.
      return null;
    }
  };
}

const partsOf = ({ request: { headers, body } }: Attempt): DeliveryParts => ({
  id: headers["webhook-id"] ?? "",
  timestamp: headers["webhook-timestamp"] ?? "",
  body,
});

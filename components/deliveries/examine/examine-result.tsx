import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef } from "react";
import { Card, CardTitle } from "#components/ui/card.tsx";
import {
  Check,
  CircleAlert,
  CircleCheck,
  Clock3,
  Info,
  SearchCheck,
  X,
} from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { Examination, ExamineFinding } from "#lib/deliveries/examine/examine.ts";
import { Moment } from "#components/values/day.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { makeVisible } from "#lib/deliveries/examine/differences.ts";
import {
  type SecretCheck,
  type SignatureCheck,
  STANDARD_TOLERANCE,
  YEAR_9999,
} from "#lib/signature.ts";
import { TextDiff } from "./compare-attempts.tsx";

const LOOKS = {
  right: { look: "info", icon: CircleCheck },
  outdated: { look: "warning", icon: Clock3 },
  explained: { look: "warning", icon: SearchCheck },
  wrong: { look: "danger", icon: CircleAlert },
} as const;

export function ExamineResult({ examination }: { examination: Examination }) {
  const t = useTranslations("examine");
  const { verdict, findings, check } = examination;
  const top = useRef<HTMLDivElement>(null);
  // The focus moves to the result, which may be below the visible part of the page.
  useEffect(() => top.current?.focus(), [examination]);
  const name = check.secrets.length === 0 ? "noSecret" : verdict;
  return (
    <>
      <Notice
        {...LOOKS[verdict]}
        ref={top}
        tabIndex={-1}
        role="group"
        aria-label={t(`verdict.${name}`)}
      >
        <p className="font-medium">{t(`verdict.${name}`)}</p>
        <p>{t(`verdict.${name}Text`)}</p>
      </Notice>
      {findings.length > 0 && (
        <Card
          aria-labelledby="findings"
          className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4 sm:p-5"
        >
          <CardTitle id="findings">{t("findings.title")}</CardTitle>
          <ul aria-labelledby="findings" className="grid grid-cols-[minmax(0,1fr)] gap-3">
            {findings.map((finding) => (
              <OneFinding key={finding.name} finding={finding} />
            ))}
          </ul>
        </Card>
      )}
      <SignatureSteps check={check} />
    </>
  );
}

function OneFinding({ finding: { name, values, is_note, diff } }: { finding: ExamineFinding }) {
  const t = useTranslations("examine");
  const Icon = is_note ? Info : CircleAlert;
  return (
    <li className="flex items-start gap-2">
      <Icon
        aria-label={is_note ? t("findings.note") : undefined}
        aria-hidden={!is_note}
        className={is_note ? "mt-0.5 size-4 text-muted" : "mt-0.5 size-4 text-danger"}
      />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1">
        <p className="font-medium wrap-anywhere">{t(`finding.what.${name}`, values)}</p>
        <p className="text-muted">
          <span className="font-medium">{t("findings.toDo")}</span>{" "}
          {t(`finding.todo.${name}`, values)}
        </p>
        {diff && (
          <figure className="grid grid-cols-[minmax(0,1fr)] gap-1">
            <figcaption className="text-xs text-muted">{t("diff.legend")}</figcaption>
            <TextDiff
              left={diff.came}
              right={diff.signed}
              names={{ left: t("diff.left"), right: t("diff.right") }}
            />
          </figure>
        )}
      </div>
    </li>
  );
}

function SignatureSteps({ check }: { check: SignatureCheck }) {
  const t = useTranslations("examine.steps");
  const { secrets, signed } = check;
  return (
    <Card aria-labelledby="steps" className="min-w-0 p-4 sm:p-5">
      <CardTitle id="steps">{t("title")}</CardTitle>
      <ol className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4">
        <Step number={1} title={t("secret")}>
          {secrets.length === 0 ? <p>{t("secretNone")}</p> : <Secrets secrets={secrets} />}
        </Step>
        <Step number={2} title={t("text")}>
          <p className="text-sm text-muted">{t("textHint")}</p>
          {signed === null ? (
            <p>{t("textNone")}</p>
          ) : (
            <CodeBlock text={makeVisible(new TextDecoder().decode(signed))} />
          )}
        </Step>
        <Step number={3} title={t("hmac")}>
          {secrets.every(({ expected }) => expected === null) ? (
            <p>{t("none")}</p>
          ) : (
            secrets.map(({ expected }, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- secrets have no other identity
              <CodeBlock key={at} text={expected ?? t("none")} />
            ))
          )}
        </Step>
        <Step number={4} title={t("came")}>
          <Came check={check} />
        </Step>
        <Step number={5} title={t("clock")}>
          <Clock check={check} />
        </Step>
      </ol>
    </Card>
  );
}

function Step({
  number,
  title,
  children,
}: {
  number: number;
  title: string;
  children: ReactNode;
}) {
  return (
    <li className="grid min-w-0 grid-cols-[1.5rem_minmax(0,1fr)] gap-x-2">
      <span
        aria-hidden
        className="flex size-6 items-center justify-center rounded-full bg-sunken text-xs font-medium text-muted tabular-nums"
      >
        {number}
      </span>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5">
        <h3 className="font-medium">{title}</h3>
        {children}
      </div>
    </li>
  );
}

function Secrets({ secrets }: { secrets: SecretCheck[] }) {
  const t = useTranslations("examine.steps");
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
      {secrets.map(({ is_readable, had_prefix, key_length }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- secrets have no other identity
        <li key={at}>
          {secrets.length > 1 && (
            <span className="text-muted">{t("secretNumber", { number: at + 1 })}: </span>
          )}
          {is_readable
            ? t("secretGiven", { prefix: had_prefix ? "yes" : "no", bytes: key_length })
            : t("secretBad")}
        </li>
      ))}
    </ul>
  );
}

function Came({ check }: { check: SignatureCheck }) {
  const t = useTranslations("examine.steps");
  const { given, agreed, secrets } = check;
  if (given.length === 0) return <p>{t("cameNone")}</p>;
  const expected = secrets[0]?.expected ?? null;
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {given.map((signature, at) => {
        const isFitting = agreed?.given === at;
        const Icon = isFitting ? Check : X;
        return (
          <li key={signature} className="grid grid-cols-[minmax(0,1fr)] gap-1">
            <CodeBlock text={makeVisible(signature)} />
            <p className="flex items-center gap-1 text-sm">
              <Icon
                aria-hidden
                className={isFitting ? "size-4 text-active" : "size-4 text-danger"}
              />
              {t(isFitting ? "fits" : "fitsNot")}
              {!isFitting && expected !== null && agreed === null && (
                <span className="text-muted">
                  {t("partFrom", { place: firstDifference(expected, signature) })}
                </span>
              )}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

/** The position of the first differing character, from 1. */
function firstDifference(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return at + 1;
}

function Clock({ check: { timestamp, signed_at, age } }: { check: SignatureCheck }) {
  const t = useTranslations("examine");
  if (timestamp === null || signed_at === null || age === null)
    return <p>{t("steps.clockNone")}</p>;
  if (signed_at > YEAR_9999)
    return <p>{t("finding.what.bad_timestamp", { came: timestamp })}</p>;
  return (
    <p>
      {t.rich("steps.clockText", {
        moment: () => <Moment iso={new Date(signed_at).toISOString()} />,
        seconds: Math.abs(age),
        side: age >= 0 ? "after" : "before",
        within: Math.abs(age) <= STANDARD_TOLERANCE ? "yes" : "no",
        tolerance: STANDARD_TOLERANCE,
      })}
    </p>
  );
}

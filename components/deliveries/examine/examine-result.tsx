import { CircleAlert, CircleCheck, Clock3, Info, SearchCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { Examination, ExamineFinding } from "#lib/deliveries/examine/examine.ts";
import { TextDiff } from "./text-diff.tsx";
import { SignatureSteps } from "./signature-steps.tsx";

const LOOKS = {
  right: { look: "info", icon: CircleCheck },
  outdated: { look: "warning", icon: Clock3 },
  explained: { look: "warning", icon: SearchCheck },
  wrong: { look: "danger", icon: CircleAlert },
} as const;

/** The verdict, the findings, and the steps that led to them. */
export function ExamineResult({ examination }: { examination: Examination }) {
  const t = useTranslations("examine");
  const { verdict, findings, check } = examination;
  const top = useRef<HTMLDivElement>(null);
  // Reading continues at the result, which may be below the visible part of the page.
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

import { CircleAlert, CircleCheck, Clock3, Info, SearchCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { Case, Examination, Finding } from "#lib/deliveries/doctor/rules.ts";
import { DoctorDiff } from "./doctor-diff.tsx";
import { DoctorSteps } from "./doctor-steps.tsx";

const LOOKS = {
  right: { look: "info", icon: CircleCheck },
  outdated: { look: "warning", icon: Clock3 },
  explained: { look: "warning", icon: SearchCheck },
  wrong: { look: "danger", icon: CircleAlert },
} as const;

interface DoctorResultProps {
  given: Case;
  examination: Examination;
}

/** What was found out, and how. */
export function DoctorResult({ given, examination }: DoctorResultProps) {
  const t = useTranslations("doctor");
  const { verdict, findings } = examination;
  const top = useRef<HTMLDivElement>(null);
  // Whoever pressed the button reads on here, also where it is out of sight.
  useEffect(() => top.current?.focus(), [examination]);
  const name = given.secrets.length === 0 ? "noSecret" : verdict;
  const of = (about: Finding["about"]) => findings.filter((one) => one.about === about);
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
          <Findings title={t("findings.delivery")} findings={of("delivery")} />
          <Findings title={t("findings.computed")} findings={of("computed")} />
        </Card>
      )}
      <DoctorSteps given={given} examination={examination} />
    </>
  );
}

function Findings({ title, findings }: { title: string; findings: Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="text-sm font-medium text-muted">{title}</h3>
      <ul aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {findings.map((finding) => (
          <OneFinding key={finding.name} finding={finding} />
        ))}
      </ul>
    </section>
  );
}

function OneFinding({ finding: { name, values, is_note, diff } }: { finding: Finding }) {
  const t = useTranslations("doctor");
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
            <DoctorDiff
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

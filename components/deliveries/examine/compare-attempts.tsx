import { useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
import { Equal, EqualNot } from "#components/ui/icons.tsx";
import { Moment } from "#components/values/day.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { SelectField } from "#components/ui/forms/fields.tsx";
import type { Attempt } from "#contract/deliveries.ts";
import {
  shortenCommonParts,
  type AttemptProperty,
  compareAttempts,
  diffTexts,
  type DiffPart,
  makeVisible,
} from "#lib/deliveries/examine/differences.ts";
import { formatDuration } from "#lib/deliveries/rules.ts";

export function CompareAttempts({ attempts }: { attempts: Attempt[] }) {
  const t = useTranslations("examine");
  const tDeliveries = useTranslations("deliveries");
  const id = useId();
  const [places, setPlaces] = useState({ left: 0, right: attempts.length - 1 });
  const [left, right] = [attempts[places.left], attempts[places.right]];
  if (!left || !right) return null;
  const { headers, address, body, code, answer, error, duration, apart, count } =
    compareAttempts(left, right);
  const select = (side: "left" | "right") => (
    <SelectField
      id={`${id}-${side}`}
      label={t(`attempts.${side}`)}
      value={String(places[side])}
      onChange={(event) => setPlaces({ ...places, [side]: Number(event.currentTarget.value) })}
      options={attempts.map((_, at) => [String(at), t("form.attemptName", { number: at + 1 })])}
    />
  );
  const took = (milliseconds: number) => formatDuration(tDeliveries, milliseconds);
  return (
    <Card
      aria-labelledby={`${id}-title`}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 p-4 sm:p-5"
    >
      <CardTitle id={`${id}-title`}>{t("attempts.title")}</CardTitle>
      <div className="grid grid-cols-2 gap-3">
        {select("left")}
        {select("right")}
      </div>
      <p role="status">{t("attempts.summary", { count })}</p>
      <dl className="divide-y rounded border">
        <Row
          title={t("attempts.started")}
          note={t("attempts.apart", { seconds: Math.abs(apart) })}
          left={<Moment iso={left.started_at} />}
          right={<Moment iso={right.started_at} />}
        />
        <Row
          title={t("attempts.took")}
          note={
            duration.more === 0
              ? null
              : t(duration.more > 0 ? "attempts.slower" : "attempts.faster", {
                  duration: took(Math.abs(duration.more)),
                })
          }
          left={took(duration.left)}
          right={took(duration.right)}
        />
        <PropertyRow title={t("attempts.code")} property={code} />
        <PropertyRow title={t("attempts.error")} property={error} />
        <PropertyRow title={t("attempts.answer")} property={answer} />
        <PropertyRow title={t("attempts.url")} property={address} />
        {headers.map((header) => (
          <PropertyRow
            key={header.name}
            title={t("attempts.header", { name: header.name })}
            property={header}
          />
        ))}
        <PropertyRow title={t("attempts.body")} property={body} />
      </dl>
    </Card>
  );
}

/**
 * The longest text that is shown twice, in characters; a longer one is shown once with its
 * differences marked.
 */
const SHORT = 120;

function PropertyRow({ title, property }: { title: string; property: AttemptProperty }) {
  const t = useTranslations("examine.attempts");
  const { left, right, is_same } = property;
  const mark = (
    <Badge icon={is_same ? Equal : EqualNot} tone={is_same ? "inactive" : "warning"}>
      {t(is_same ? "same" : "differs")}
    </Badge>
  );
  const isLong = (left?.length ?? 0) > SHORT || (right?.length ?? 0) > SHORT;
  if (!isLong || left === null || right === null)
    return <Row {...{ title, mark }} left={<Text of={left} />} right={<Text of={right} />} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5 px-3 py-2">
      <dt className="flex flex-wrap items-center gap-2 text-sm text-muted">
        {title}
        {mark}
      </dt>
      <dd className="min-w-0">
        <TextDiff {...{ left, right }} names={{ left: t("left"), right: t("right") }} />
      </dd>
    </div>
  );
}

function Text({ of }: { of: string | null }) {
  const t = useTranslations("examine.attempts");
  if (of === null || of === "") return <span className="text-muted">{t("none")}</span>;
  return <span className="font-mono text-xs wrap-anywhere">{of}</span>;
}

interface RowProps {
  title: string;
  mark?: ReactNode;
  note?: string | null;
  left: ReactNode;
  right: ReactNode;
}

function Row({ title, mark, note, left, right }: RowProps) {
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-1 px-3 py-2">
      <dt className="col-span-2 flex flex-wrap items-center gap-2 text-sm text-muted">
        {title}
        {mark}
        {note && <span>{note}</span>}
      </dt>
      <dd className="min-w-0">{left}</dd>
      <dd className="min-w-0">{right}</dd>
    </div>
  );
}

interface TextDiffProps {
  left: string;
  right: string;
  /** Screen reader names of the parts that only one side has. */
  names: { left: string; right: string };
}

/** Two texts as one; differences are marked by colour, line and screen reader text. */
export function TextDiff({ left, right, names }: TextDiffProps) {
  return (
    <pre className="rounded border bg-canvas px-3 py-2 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">
      {shortenCommonParts(diffTexts(left, right)).map((part, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts have no other identity
        <Part key={at} part={part} names={names} />
      ))}
    </pre>
  );
}

function Part({ part, names }: { part: DiffPart; names: TextDiffProps["names"] }) {
  const t = useTranslations("examine.diff");
  const { of, text } = part;
  const shown = makeVisible(of === "both" ? text : text.replaceAll(" ", "·"));
  if (of === "both") return shown;
  const name = <span className="sr-only">{t("named", { name: names[of] })}</span>;
  return of === "left" ? (
    <del className="rounded-xs bg-danger-soft text-danger">
      {name}
      {shown}
    </del>
  ) : (
    <ins className="rounded-xs bg-active-soft text-active decoration-2">
      {name}
      {shown}
    </ins>
  );
}

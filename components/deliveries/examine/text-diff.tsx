import { useTranslations } from "next-intl";
import {
  aroundDifferences,
  differences,
  makeVisible,
  type Stretch,
} from "#lib/deliveries/doctor/differing/rules.ts";

interface DoctorDiffProps {
  left: string;
  right: string;
  /** What stands only in the left one is called, and only in the right one. */
  names: { left: string; right: string };
}

/** Two texts in one: what only one has is marked by colour, by a line, and in words. */
export function DoctorDiff({ left, right, names }: DoctorDiffProps) {
  return (
    <pre className="rounded border bg-canvas px-3 py-2 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">
      {aroundDifferences(differences(left, right)).map((stretch, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- stretches have no other name
        <Part key={at} stretch={stretch} names={names} />
      ))}
    </pre>
  );
}

function Part({ stretch, names }: { stretch: Stretch; names: DoctorDiffProps["names"] }) {
  const t = useTranslations("doctor.diff");
  const { of, text } = stretch;
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

import { useTranslations } from "next-intl";
import {
  aroundDifferences,
  differences,
  makeVisible,
  type DiffPart,
} from "#lib/deliveries/examine/differences.ts";

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
      {aroundDifferences(differences(left, right)).map((part, at) => (
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

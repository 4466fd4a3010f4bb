import { useTranslations } from "next-intl";

/** The log reference of a failure, for support. */
export function Reference({ error }: { error: Error & { digest?: string } }) {
  const t = useTranslations();
  if (!error.digest) return null;
  return (
    <span className="mt-3 block text-sm">
      {t("layout.error.reference")}{" "}
      <code className="break-all tabular-nums select-all">{error.digest}</code>
    </span>
  );
}

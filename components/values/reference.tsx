import { useTranslations } from "next-intl";

/** By which support finds this failure in the logs. */
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

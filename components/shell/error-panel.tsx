import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button.tsx";
import { TriangleAlert } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";

interface ErrorPanelProps {
  error: Error & { digest?: string };
  retry: () => void;
  text: string;
}

/** The content of error pages, with the log reference for support. */
export function ErrorPanel({ error, retry, text }: ErrorPanelProps) {
  const t = useTranslations();
  return (
    <>
      <h1 className="sr-only">{t("layout.error.heading")}</h1>
      <StatePanel
        role="alert"
        icon={TriangleAlert}
        title={t("layout.error.title")}
        text={
          <>
            {text}
            {error.digest && (
              <span className="mt-3 block text-sm">
                {t("layout.error.reference")}{" "}
                <code className="break-all tabular-nums select-all">{error.digest}</code>
              </span>
            )}
          </>
        }
        action={<Button onClick={retry}>{t("failures.tryAgain")}</Button>}
      />
    </>
  );
}

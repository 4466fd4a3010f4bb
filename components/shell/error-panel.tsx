import { useTranslations } from "next-intl";
import { buttonClass } from "#components/ui/button-class.ts";
import type { IconType } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { cn } from "#lib/cn.ts";

interface ErrorPanelProps {
  error: Error & { digest?: string };
  retry: () => void;
  text: string;
}

/**
 * The content of error pages, with the log reference for support. Every page loads it, so it draws its one
 * icon itself and has a plain button, so that the module of all icons is not loaded.
 */
export function ErrorPanel({ error, retry, text }: ErrorPanelProps) {
  const t = useTranslations();
  return (
    <>
      <h1 className="sr-only">{t("layout.error.heading")}</h1>
      <StatePanel
        role="alert"
        icon={Warning}
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
        action={
          <button type="button" className={buttonClass()} onClick={retry}>
            {t("failures.tryAgain")}
          </button>
        }
      />
    </>
  );
}

/** Lucide's TriangleAlert. */
const Warning: IconType = ({ className }) => (
  <svg aria-hidden viewBox="0 0 24 24" className={cn("icon", className)}>
    <path d="m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3" />
    <path d="M12 9v4" />
    <path d="M12 17h.01" />
  </svg>
);

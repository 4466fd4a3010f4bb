import { FileQuestion } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";

/** For an address that leads nowhere, with and without the desk around it. */
export function NotFoundPanel() {
  const t = useTranslations("layout.notFound");
  return (
    <>
      <h1 className="sr-only">{t("heading")}</h1>
      <StatePanel
        icon={FileQuestion}
        title={t("title")}
        text={t("text")}
        action={
          <Link href="/" className={buttonClass()}>
            {t("start")}
          </Link>
        }
      />
    </>
  );
}

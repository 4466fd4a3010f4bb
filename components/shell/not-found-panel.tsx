import { useTranslations } from "next-intl";
import { buttonClass } from "#components/ui/button-class.ts";
import { FileQuestion } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";

/** The content of not-found pages, inside and outside of the dashboard. */
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
          // oxlint-disable-next-line nextjs/no-html-link-for-pages -- every page would load Link's code for this
          <a href="/" className={buttonClass()}>
            {t("start")}
          </a>
        }
      />
    </>
  );
}

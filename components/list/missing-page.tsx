import { FileQuestion } from "lucide-react";
import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { UrlLink } from "./url-link.tsx";

interface MissingPageProps {
  page: number;
  /** The address of the list's first page. */
  firstHref: string;
}

/** In the place of a page beyond the end of a list. */
export function MissingPage({ page, firstHref }: MissingPageProps) {
  const t = useTranslations("table.missing");
  const format = useFormat();
  return (
    <StatePanel
      icon={FileQuestion}
      title={t("title", { page: format.count(page) })}
      text={t("text")}
      action={
        <UrlLink href={firstHref} className={buttonClass()}>
          {t("first")}
        </UrlLink>
      }
    />
  );
}

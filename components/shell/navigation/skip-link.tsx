import { useTranslations } from "next-intl";

/** Classes of an element that is visible only while focused. */
export const skipLinkClass =
  "sr-only z-35 rounded bg-accent-strong px-3 py-2 font-medium text-white focus:not-sr-only focus:fixed focus:top-2 focus:left-2 print:hidden";

/** The first focusable element: skips to the page's main content. */
export function SkipLink() {
  const t = useTranslations("layout");
  return (
    <a href="#content" className={skipLinkClass}>
      {t("skip")}
    </a>
  );
}

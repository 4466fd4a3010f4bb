import { useTranslations } from "next-intl";
import Link from "next/link";
import { buttonClass } from "#components/ui/button-class.ts";
import { ShieldCheck } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";

export function NeedsSecondFactor() {
  const t = useTranslations("operator.secondFactor");
  return (
    <StatePanel
      icon={ShieldCheck}
      title={t("title")}
      text={t("text")}
      action={
        <Link prefetch={false} href="/settings/account" className={buttonClass("primary")}>
          {t("open")}
        </Link>
      }
    />
  );
}

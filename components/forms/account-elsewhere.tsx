import { useTranslations } from "next-intl";
import { ScopedLink } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import type { IconType } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";

interface AccountElsewhereProps {
  icon: IconType;
  title: string;
  text: string;
}

/** Shown instead of a part that needs an account opened by Duebook. */
export function AccountElsewhere(props: AccountElsewhereProps) {
  const t = useTranslations("connection");
  return (
    <StatePanel
      {...props}
      action={
        <ScopedLink href="/settings/connection" className={buttonClass()}>
          {t("view")}
        </ScopedLink>
      }
    />
  );
}

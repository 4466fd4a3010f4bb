import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { PageHeader } from "#components/shell/page-header.tsx";
import { SettingsTabs } from "#components/shell/navigation/settings-tabs.tsx";

export default function SettingsLayout({ children }: { children: ReactNode }) {
  const t = useTranslations("layout.navigation");
  return (
    <>
      <PageHeader title={t("settings")} />
      <SettingsTabs />
      {children}
    </>
  );
}

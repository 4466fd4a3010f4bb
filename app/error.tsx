"use client";

import { useTranslations } from "next-intl";
import { ErrorPanel } from "#components/shell/error-panel.tsx";

export default function RootError(props: { error: Error; retry: () => void }) {
  const t = useTranslations("layout.error");
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4">
      <title>{t("tab")}</title>
      <ErrorPanel text={t("dashboard")} {...props} />
    </main>
  );
}

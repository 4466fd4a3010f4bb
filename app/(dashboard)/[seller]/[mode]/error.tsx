"use client";

import { useTranslations } from "next-intl";
import { ErrorPanel } from "#components/shell/error-panel.tsx";

export default function DashboardError(props: { error: Error; retry: () => void }) {
  const t = useTranslations("layout.error");
  return <ErrorPanel text={t("text")} {...props} />;
}

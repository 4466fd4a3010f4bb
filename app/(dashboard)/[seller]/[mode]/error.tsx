"use client";

import { TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { Reference } from "#components/values/reference.tsx";
import { Button } from "#components/ui/button.tsx";
import { StatePanel } from "#components/ui/notice.tsx";

export default function DashboardError({ error, retry }: { error: Error; retry: () => void }) {
  const t = useTranslations();
  return (
    <>
      <h1 className="sr-only">{t("layout.error.heading")}</h1>
      <StatePanel
        role="alert"
        icon={TriangleAlert}
        title={t("layout.error.title")}
        text={
          <>
            {t("layout.error.text")}
            <Reference error={error} />
          </>
        }
        action={<Button onClick={retry}>{t("failures.tryAgain")}</Button>}
      />
    </>
  );
}

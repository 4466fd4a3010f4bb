"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import {
  setDesktopNotifications,
  wantsDesktopNotifications,
} from "#components/shell/desktop-notifications.ts";
import { useSeller } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Switch } from "#components/ui/forms/switch.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";

/** Asks for permission on a click only: a browser that was refused does not ask again. */
export function DesktopNotifications() {
  const t = useTranslations("notifications.desktop");
  const { person } = useSeller();
  const isHydrated = useHydrated();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [isRefused, setRefused] = useState(false);
  const isOn = chosen ?? (isHydrated && wantsDesktopNotifications(person));

  async function change(next: boolean) {
    const isDone = await setDesktopNotifications(person, next);
    setRefused(!isDone);
    setChosen(isDone && next);
  }

  return (
    <Card className="mt-6 p-4 sm:p-5">
      <div className="flex items-center justify-between gap-4">
        <CardTitle>{t("title")}</CardTitle>
        <Switch label={t("on")} isOn={isOn} onSwitch={(next) => void change(next)} />
      </div>
      <p className="mt-1 text-muted">{t("text")}</p>
      <div role="status" className="empty:sr-only">
        {isRefused && <p className="mt-2 text-warning">{t("refused")}</p>}
      </div>
    </Card>
  );
}

"use client";

import { Hourglass } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Notice } from "#components/ui/notice.tsx";
import { describeWait } from "#lib/format/format.ts";

interface WaitNoticeProps {
  seconds: number;
  /** Called when the wait ends. */
  onOver: () => void;
}

/** The remaining wait; without JavaScript it shows the whole wait. */
export function WaitNotice({ seconds, onOver }: WaitNoticeProps) {
  const t = useTranslations("auth.wait");
  const format = useTranslations("format");
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const end = Date.now() + seconds * 1_000;
    const timer = setInterval(() => {
      const remaining = Math.ceil((end - Date.now()) / 1_000);
      setLeft(Math.max(0, remaining));
      if (remaining <= 0) onOver();
    }, 500);
    return () => clearInterval(timer);
  }, [seconds, onOver]);
  return (
    <Notice look="warning" icon={Hourglass} role="alert">
      <p className="font-medium">{t("title")}</p>
      {/* Announced once, not every second. */}
      <p aria-live="off" className="tabular-nums">
        {t("text", { wait: describeWait(format, left) })}
      </p>
    </Notice>
  );
}

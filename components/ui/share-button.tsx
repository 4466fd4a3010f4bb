"use client";

import { useTranslations } from "next-intl";
import { Share } from "#components/ui/icons.tsx";
import { Button, useHydrated } from "./button.tsx";

/** Opens the system's share sheet; renders nothing where it is not supported. */
export function ShareButton({ text }: { text: string }) {
  const t = useTranslations("ui");
  const isHydrated = useHydrated();
  if (!isHydrated || typeof navigator.share !== "function") return null;
  return (
    <Button className="h-9" onClick={() => void share(text)}>
      <Share aria-hidden className="size-4" />
      {t("share")}
    </Button>
  );
}

async function share(text: string) {
  try {
    await navigator.share({ text });
  } catch {
    // The user closed the share sheet.
  }
}

"use client";

import { useTranslations } from "next-intl";
import { lazy, Suspense, useState } from "react";
import { Disclosure } from "#components/ui/disclosure.tsx";

const FirstRequest = lazy(async () => ({
  default: (await import("./first-request.tsx")).FirstRequest,
}));

interface TryKeyProps {
  /** The base URL of the billing API for programs; null if unknown. */
  address: string | null;
  className: string;
}

/** How a program uses a key; the code is loaded when it is opened. */
export function TryKey({ address, className }: TryKeyProps) {
  const t = useTranslations("apiKeys.try");
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure title={t("title")} className={className} onToggle={setOpen}>
      {isOpen && (
        <div className="mt-2">
          <Suspense fallback={<span className="skeleton block h-96" />}>
            <FirstRequest address={address} />
          </Suspense>
        </div>
      )}
    </Disclosure>
  );
}

"use client";

import { NextIntlClientProvider, useLocale, useMessages, type Messages } from "next-intl";
import { useMemo, type ReactNode } from "react";

interface MoreWordsProps {
  /** JSON of namespaces: as one text they are read at once, as values each goes through React. */
  json: string;
  children: ReactNode;
}

export function MoreWords({ json, children }: MoreWordsProps) {
  const above = useMessages();
  const all = useMemo(
    () => ({ ...above, ...(JSON.parse(json) as Partial<Messages>) }),
    [above, json],
  );
  return (
    <NextIntlClientProvider locale={useLocale()} messages={all} timeZone="UTC">
      {children}
    </NextIntlClientProvider>
  );
}

"use client";

import { NextIntlClientProvider, useLocale, useMessages, type Messages } from "next-intl";
import { useMemo, type ReactNode } from "react";

interface MessagesProviderProps {
  /**
   * The namespaces as one JSON text, because React would serialise and visit every value of an
   * object.
   */
  json: string;
  children: ReactNode;
}

export function MessagesProvider({ json, children }: MessagesProviderProps) {
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

import "server-only";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { MessageKey } from "./message.ts";

/** A page's `generateMetadata`. @param key with its namespace: "subscriptions.title" */
export function pageTitle(key: MessageKey): () => Promise<Metadata> {
  return async () => ({ title: (await getTranslations())(key) });
}

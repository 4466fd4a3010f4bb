import "server-only";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { MessageKey } from "./message.ts";

/**
 * Makes a page's `generateMetadata`.
 * @param key the title's message with its namespace: "subscriptions.title"
 */
export function pageTitle(key: MessageKey): () => Promise<Metadata> {
  return async () => ({ title: (await getTranslations())(key) });
}

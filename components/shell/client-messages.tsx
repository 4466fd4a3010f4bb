import { getLocale } from "next-intl/server";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { MessagesProvider } from "#components/context/messages-provider.tsx";
import { type PageName, readPageWords, shareWords } from "./page-words.ts";

interface ClientMessagesProps {
  of: PageName;
  children: ReactNode;
}

/**
 * Sends only the words listed under this name, in addition to those of the layouts above. A full
 * page load links to its words, which browsers cache; what the router fetches contains them, so that
 * they need no further request.
 */
export async function ClientMessages({ of, children }: ClientMessagesProps) {
  const language = await getLocale();
  const isDocument = (await headers()).get("accept")?.includes("text/html") ?? false;
  const words = isDocument
    ? { version: await shareWords(language, of) }
    : { json: await readPageWords(language, of) };
  return (
    <MessagesProvider of={of} {...words}>
      {children}
    </MessagesProvider>
  );
}

/** The layout of a segment whose pages, loading states and errors need these words. */
export const messagesLayout = (of: PageName) =>
  function MessagesLayout({ children }: { children: ReactNode }) {
    return <ClientMessages of={of}>{children}</ClientMessages>;
  };

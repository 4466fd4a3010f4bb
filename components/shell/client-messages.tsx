import { getMessages } from "next-intl/server";
import type { ReactNode } from "react";
import type { Namespace } from "#lib/i18n/catalogue.ts";
import { MessagesProvider } from "./messages-provider.tsx";

interface ClientMessagesProps {
  of: Namespace[];
  children: ReactNode;
}

/** Sends only these namespaces to the browser, in addition to those of the layouts above. */
export async function ClientMessages({ of, children }: ClientMessagesProps) {
  const messages = await getMessages();
  const sent = Object.fromEntries(of.map((namespace) => [namespace, messages[namespace]]));
  return <MessagesProvider json={JSON.stringify(sent)}>{children}</MessagesProvider>;
}

/** The layout of a segment whose pages, loading states and errors need these namespaces. */
export const messagesLayout = (...of: Namespace[]) =>
  function MessagesLayout({ children }: { children: ReactNode }) {
    return <ClientMessages of={of}>{children}</ClientMessages>;
  };

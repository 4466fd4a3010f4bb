import type { ReactNode } from "react";
import { MessagePages } from "#components/messages/sending/message-pages.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";

export default function MessagesLayout({ children }: { children: ReactNode }) {
  return (
    <ClientMessages of="messages/pages">
      <MessagePages />
      {children}
    </ClientMessages>
  );
}

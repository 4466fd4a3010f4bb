import { messagesLayout } from "#components/shell/client-messages.tsx";

export default messagesLayout(
  "audit",
  "collection",
  "finding",
  "owed",
  "subscription",
  "subscriptions",
  "table",
);

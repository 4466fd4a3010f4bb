import { MessageListSkeleton } from "#components/messages/sending/message-list.tsx";

export default function SentMessagesLoading() {
  return <MessageListSkeleton />;
}

export { MessageListSkeleton as default } from "#components/messages/sending/message-list.tsx";

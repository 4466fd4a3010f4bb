export { NotificationListSkeleton as default } from "#components/notifications/notification-list.tsx";

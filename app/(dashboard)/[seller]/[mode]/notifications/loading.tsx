import { NotificationListSkeleton } from "#components/notifications/notification-list.tsx";

export default function NotificationsLoading() {
  return <NotificationListSkeleton />;
}

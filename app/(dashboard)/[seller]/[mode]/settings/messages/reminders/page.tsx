import { ScheduleSettings } from "#components/messages/schedule/schedule-form.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getSchedule } from "#lib/messages/schedule/data.ts";

export const generateMetadata = pageTitle("reminders.title");

export default async function RemindersPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "connection:read");
  return (
    <ClientMessages of="messages/reminders">
      <ScheduleSettings result={await getSchedule(scope)} />
    </ClientMessages>
  );
}

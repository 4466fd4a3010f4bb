"use client";

import { RefreshFailure } from "#components/forms/refresh-failure.tsx";
import { SendingAbsencePanel } from "#components/messages/sending/sending-absence.tsx";
import type { ScheduleResult } from "#lib/messages/schedule/rules.ts";
import { ScheduleForm } from "./schedule-form.tsx";

/** The schedule by which the service reminds buyers, or why there is none. */
export function ScheduleSettings({ result }: { result: ScheduleResult }) {
  if ("failure" in result) return <RefreshFailure failure={result.failure} />;
  if ("absence" in result) return <SendingAbsencePanel absence={result.absence} />;
  return <ScheduleForm shown={result} />;
}

import "server-only";
import { getLocale, getTranslations } from "next-intl/server";
import { makeFormat } from "#lib/format/format.ts";

const TIME_ZONE = "Asia/Kathmandu";

/** Formats times for operators; a dash stands for no time. */
export async function operatorTime(): Promise<(iso: string | null) => string> {
  const { dateTime } = makeFormat(await getTranslations("format"), {
    language: await getLocale(),
    time_zone: TIME_ZONE,
    now: new Date().toISOString(),
    currency: "NPR",
    amount_style: "code",
  });
  return (iso) => (iso === null ? "–" : dateTime(iso));
}

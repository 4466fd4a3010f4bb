import { useTranslations } from "next-intl";
import { useFormat } from "#components/context/seller-context.tsx";
import type { ListedKey } from "#lib/keys/rules.ts";

export function LastUse({
  listed: { last_used_at, last_used_address },
}: {
  listed: Pick<ListedKey, "last_used_at" | "last_used_address">;
}) {
  const t = useTranslations("apiKeys.lastUse");
  const format = useFormat();
  if (last_used_at === null) return t("never");
  const moment = format.dateTime(last_used_at);
  return last_used_address === null
    ? t("at", { moment })
    : t("from", { moment, address: last_used_address });
}

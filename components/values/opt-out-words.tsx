import { useTranslations } from "next-intl";
import { OPT_OUT_WAYS } from "#contract/names.ts";
import type { OptOut } from "#contract/reminders.ts";

/** @returns a function that says how a buyer opted out, with the reason of the member who noted it */
export function useOptOutWay(): (optOut: Pick<OptOut, "how" | "reason">) => string {
  const t = useTranslations("optOuts");
  return ({ how, reason }) => {
    const way = OPT_OUT_WAYS.find((name) => name === how);
    const text = t(`how.${way ?? "unknown"}`);
    return reason ? t("how.withReason", { way: text, reason }) : text;
  };
}

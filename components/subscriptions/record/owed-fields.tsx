import { useTranslations } from "next-intl";
import { ReasonFields } from "#components/forms/reason-fields.tsx";
import { HandCoins } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import {
  EMPTY_GOODWILL,
  OWED_TREATMENTS,
  goodwillFromDraft,
  type GoodwillDraft,
  type OwedTreatment,
  type Settlement,
} from "#lib/subscriptions/goodwill/rules.ts";

export interface SettlementDraft extends GoodwillDraft {
  owed: OwedTreatment;
}
/** The default settlement, which keeps the debt. */
export const DEFAULT_SETTLEMENT: SettlementDraft = { ...EMPTY_GOODWILL, owed: "kept" };

/** The settlement of a complete form; null without a reason. */
export function readSettlement(draft: SettlementDraft): Settlement | null {
  const goodwill = goodwillFromDraft(draft);
  return goodwill && { ...goodwill, owed: draft.owed };
}

interface OwedFieldsProps {
  notice: string;
  settlement: SettlementDraft;
  setSettlement: (settlement: SettlementDraft) => void;
  isTried: boolean;
}

export function OwedFields({ notice, settlement, setSettlement, isTried }: OwedFieldsProps) {
  const t = useTranslations("owed");
  return (
    <fieldset className="mt-4 grid gap-3">
      <legend className="sr-only">{t("what")}</legend>
      <Notice look="warning" icon={HandCoins}>
        {notice}
      </Notice>
      <div className="grid gap-2 sm:grid-cols-2">
        {OWED_TREATMENTS.map((owed) => (
          <label
            key={owed}
            className="flex cursor-pointer items-start gap-2 rounded border px-3 py-2 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="owed"
              className="mt-0.5 accent-accent-strong"
              checked={settlement.owed === owed}
              onChange={() => setSettlement({ ...settlement, owed })}
            />
            <span>
              {t(owed)}
              <span className="block text-xs text-muted">{t(`${owed}Hint`)}</span>
            </span>
          </label>
        ))}
      </div>
      <ReasonFields
        goodwill={settlement}
        setGoodwill={(goodwill) => setSettlement({ ...settlement, ...goodwill })}
        isTried={isTried}
      />
    </fieldset>
  );
}

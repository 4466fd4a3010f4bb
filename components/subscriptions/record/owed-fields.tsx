import { useTranslations } from "next-intl";
import { ReasonFields } from "#components/forms/reason-fields.tsx";
import { ChoiceCard } from "#components/ui/forms/choices.tsx";
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
          <ChoiceCard
            key={owed}
            type="radio"
            name="owed"
            checked={settlement.owed === owed}
            onChange={() => setSettlement({ ...settlement, owed })}
            title={t(owed)}
            text={t(`${owed}Hint`)}
          />
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

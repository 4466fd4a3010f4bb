import { useTranslations } from "next-intl";
import { ReasonFields } from "#components/forms/reason-fields.tsx";
import { EMPTY_GOODWILL, type GoodwillDraft } from "#lib/subscriptions/goodwill/rules.ts";

interface GoodwillFieldsProps {
  /** Null without a goodwill extension. */
  goodwill: GoodwillDraft | null;
  setGoodwill: (goodwill: GoodwillDraft | null) => void;
  /** True after an attempt to send: errors are shown. */
  isTried: boolean;
}

export function GoodwillFields({ goodwill, setGoodwill, isTried }: GoodwillFieldsProps) {
  const t = useTranslations("subscription.reschedule.goodwill");
  return (
    <fieldset className="mt-4 grid gap-3">
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5 size-4 accent-accent-strong"
          checked={goodwill !== null}
          onChange={(event) => setGoodwill(event.target.checked ? EMPTY_GOODWILL : null)}
        />
        <span>
          {t("label")}
          <span className="block text-xs text-muted">{t("hint")}</span>
        </span>
      </label>
      {goodwill && <ReasonFields {...{ goodwill, setGoodwill, isTried }} />}
    </fieldset>
  );
}

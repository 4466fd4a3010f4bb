import { useTranslations } from "next-intl";
import { useFormat } from "#components/layout/use-format.ts";
import type { Proof } from "#lib/proofs/queries.ts";

/** Under a payment's amount: the tax inside it and how it was paid, where the service says it. */
export function PaidDetails({
  proof: { vat, method, currency },
}: {
  proof: Pick<Proof, "vat" | "method" | "currency">;
}) {
  const t = useTranslations("format");
  const format = useFormat();
  return [
    vat !== null && t("vatWithin", { money: format.money(vat, currency ?? "") }),
    method !== null && t("paidWith", { method }),
  ].map(
    (words) =>
      words && (
        <span key={words} className="block text-xs text-muted">
          {words}
        </span>
      ),
  );
}

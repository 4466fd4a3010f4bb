import { useTranslations } from "next-intl";
import { CircleCheck, CircleDashed, CircleOff } from "#components/ui/icons.tsx";
import type { Product } from "#contract/products.ts";
import { Badge } from "#components/ui/badge.tsx";
import { productStateOf } from "#lib/products/rules.ts";

const LOOKS = {
  active: { icon: CircleCheck, tone: "active" },
  no_period: {
    icon: CircleDashed,
    tone: "pending",
  },
  inactive: {
    icon: CircleOff,
    tone: "inactive",
  },
} as const;

export function ProductStateBadge({ product }: { product: Product }) {
  const t = useTranslations("products");
  const state = productStateOf(product);
  return <Badge {...LOOKS[state]}>{t(`state.${state}`)}</Badge>;
}

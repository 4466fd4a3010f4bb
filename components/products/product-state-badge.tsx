import { useTranslations } from "next-intl";
import { CircleCheck, CircleDashed, CircleOff } from "#components/ui/icons.tsx";
import type { Product } from "#contract/products.ts";
import { Badge } from "#components/ui/badge.tsx";
import { productStateOf } from "#lib/products/rules.ts";

const LOOKS = {
  active: { icon: CircleCheck, className: "bg-active-soft text-active" },
  no_period: {
    icon: CircleDashed,
    className: "bg-pending-soft text-pending",
  },
  inactive: {
    icon: CircleOff,
    className: "bg-inactive-soft text-inactive",
  },
} as const;

export function ProductStateBadge({ product }: { product: Product }) {
  const t = useTranslations("products");
  const state = productStateOf(product);
  const { icon, className } = LOOKS[state];
  return (
    <Badge icon={icon} className={className}>
      {t(`state.${state}`)}
    </Badge>
  );
}

import { Minus, TrendingDown, TrendingUp } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useFormat } from "#components/values/use-format.ts";
import { isLess } from "#lib/format/decimal.ts";

interface HeadlineProps {
  children: ReactNode;
  aside?: ReactNode;
}

export function Headline({ children, aside }: HeadlineProps) {
  return (
    <p className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <span className="text-2xl font-semibold tabular-nums">{children}</span>
      {aside}
    </p>
  );
}

interface ChangeProps {
  /** Formatted; null if unknown. */
  before: string | null;
  direction: Direction;
}

type Direction = "up" | "down" | "same";

const ICONS = { up: TrendingUp, down: TrendingDown, same: Minus };

/** The change since the previous period, in words and with an arrow. */
export function HeadlineChange({ before, direction }: ChangeProps) {
  const t = useTranslations("reports.change");
  if (before === null) return <span className="text-sm text-muted">{t("unknown")}</span>;
  const Icon = ICONS[direction];
  return (
    <span className="inline-flex items-center gap-1 text-sm text-muted tabular-nums">
      <Icon aria-hidden className="size-4 shrink-0" />
      {t(direction, { before })}
    </span>
  );
}

interface CountChangeProps {
  count: number;
  before: number | null;
}

export function CountChange({ count, before }: CountChangeProps) {
  const format = useFormat();
  if (before === null) return <HeadlineChange before={null} direction="same" />;
  const direction = count > before ? "up" : count < before ? "down" : "same";
  return <HeadlineChange before={format.count(before)} direction={direction} />;
}

interface MoneyChangeProps {
  amount: string;
  before: string | null;
  currency: string;
}

export function MoneyChange({ amount, before, currency }: MoneyChangeProps) {
  const format = useFormat();
  if (before === null) return <HeadlineChange before={null} direction="same" />;
  const isUp = isLess(before, amount);
  const direction = isUp ? "up" : isLess(amount, before) ? "down" : "same";
  return <HeadlineChange before={format.money(before, currency)} direction={direction} />;
}

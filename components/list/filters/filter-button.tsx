import { ListFilter } from "lucide-react";
import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { Button } from "#components/ui/button.tsx";

interface FilterButtonProps {
  /** Number of active filters. */
  active: number;
  onClick: () => void;
  disabled?: boolean;
  className: string;
}

/** Opens the dialog of what narrows a list, and says how much of it does. */
export function FilterButton({ active, ...props }: FilterButtonProps) {
  const t = useTranslations("table");
  const format = useFormat();
  return (
    <Button {...props} aria-haspopup="dialog">
      <ListFilter aria-hidden className="size-4" />
      {t("filter")}
      {active > 0 && (
        <span className="rounded-full bg-accent-soft px-1.5 text-xs text-accent tabular-nums">
          {format.count(active)}
        </span>
      )}
    </Button>
  );
}

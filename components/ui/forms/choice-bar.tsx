import { cn } from "#lib/cn.ts";
import { useHydrated } from "#components/ui/button.tsx";

interface ChoiceBarProps<Value extends string> {
  /** The group's label, announced before the choices. */
  label: string;
  choices: readonly { value: Value; label: string; lang?: string }[];
  chosen: Value;
  onChoose: (value: Value) => void;
  className?: string;
}

/** A row of choices, one selected; changes apply at once. */
export function ChoiceBar<Value extends string>(props: ChoiceBarProps<Value>) {
  const { label, choices, chosen, onChoose, className } = props;
  const isHydrated = useHydrated();
  return (
    <div
      role="group"
      aria-label={label}
      className={cn("inline-flex max-w-full flex-wrap rounded bg-sunken p-0.5", className)}
    >
      {choices.map(({ value, label: name, lang }) => (
        <button
          key={value}
          type="button"
          lang={lang}
          aria-pressed={value === chosen}
          disabled={!isHydrated}
          onClick={() => onChoose(value)}
          className="h-7 rounded px-2.5 text-sm text-muted hover:text-ink aria-pressed:bg-surface aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-card max-md:h-10"
        >
          {name}
        </button>
      ))}
    </div>
  );
}

import { LoaderCircle } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";
import { useHydrated } from "#components/ui/button.tsx";

interface SwitchProps {
  /** The switch's accessible name. */
  label: string;
  isOn: boolean;
  isPending?: boolean;
  disabled?: boolean;
  onSwitch: (isOn: boolean) => void;
}

/** A switch that shows the confirmed state: it moves when the answer arrives. */
export function Switch({ label, isOn, isPending = false, disabled, onSwitch }: SwitchProps) {
  const isHydrated = useHydrated();
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-busy={isPending}
      aria-label={label}
      disabled={disabled || !isHydrated}
      onClick={() => !isPending && onSwitch(!isOn)}
      className="group flex h-8 items-center rounded-full px-1 disabled:cursor-default disabled:opacity-60 max-md:h-11"
    >
      <span
        className={cn(
          "flex h-5 w-9 items-center rounded-full border p-0.5 transition-colors",
          isOn ? "border-accent-strong bg-accent-strong" : "border-line-strong bg-sunken",
        )}
      >
        <span
          className={cn(
            "flex size-3.5 items-center justify-center rounded-full transition-transform",
            isOn ? "translate-x-4 bg-white text-accent-strong" : "bg-line-strong text-surface",
          )}
        >
          {isPending && <LoaderCircle aria-hidden className="size-3.5 animate-spin stroke-3" />}
        </span>
      </span>
    </button>
  );
}

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
          className="segment rounded px-2.5 text-sm aria-pressed:font-medium max-md:h-10"
        >
          {name}
        </button>
      ))}
    </div>
  );
}

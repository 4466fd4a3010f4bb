import { LoaderCircle } from "lucide-react";
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

/** Shows the confirmed state: it moves when the answer arrives. */
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
          {isPending && (
            <LoaderCircle aria-hidden className="size-3.5 animate-spin" strokeWidth={3} />
          )}
        </span>
      </span>
    </button>
  );
}

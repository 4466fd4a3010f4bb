import type { ReactNode, Ref } from "react";
import { Button } from "#components/ui/button.tsx";

interface ToolButtonProps {
  label: string;
  isOff?: boolean;
  onClick: () => void;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
}

/** An icon button. It keeps the focus while off, which a disabled button would lose. */
export function ToolButton({ label, isOff = false, onClick, ref, children }: ToolButtonProps) {
  return (
    <Button
      ref={ref}
      look="quiet"
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      className="aria-disabled:opacity-45"
      onClick={() => !isOff && onClick()}
    >
      {children}
    </Button>
  );
}

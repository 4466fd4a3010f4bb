"use client";

import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type Ref,
  use,
  useSyncExternalStore,
} from "react";
import { LoaderCircle } from "#components/ui/icons.tsx";
import { buttonClass, type ButtonLook } from "./button-class.ts";

interface ButtonProps extends ComponentProps<"button"> {
  look?: ButtonLook | undefined;
  /** Whether the button shows progress and ignores further clicks. */
  isPending?: boolean;
}

/** With a click handler it is disabled until hydration, because earlier clicks would be lost. */
export function Button({
  look,
  isPending = false,
  className,
  disabled,
  children,
  type = "button",
  ...props
}: ButtonProps) {
  const isHydrated = useHydrated();
  const isWaiting = props.onClick !== undefined && !isHydrated;
  return (
    <button
      type={type}
      className={buttonClass(look, className)}
      disabled={disabled || isPending || isWaiting}
      {...props}
    >
      {isPending && <LoaderCircle aria-hidden className="size-4 animate-spin" />}
      {children}
    </button>
  );
}

/**
 * The submit button of a form that needs JavaScript: disabled until hydration, because an earlier click would
 * lose the input.
 */
export function SubmitButton({ disabled, ...props }: ComponentProps<typeof Button>) {
  const isReady = useHydrated();
  return <Button type="submit" look="primary" disabled={disabled || !isReady} {...props} />;
}

const subscribeToNothing = () => () => {};

/** Whether a page's placeholder is shown; what is opened in it closes when the page replaces it. */
export const PlaceholderContext = createContext(false);

/** False until hydration, when clicks start to work, and in a placeholder. */
export function useHydrated(): boolean {
  const isPlaceholder = use(PlaceholderContext);
  const isHydrated = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  return isHydrated && !isPlaceholder;
}

interface ToolButtonProps {
  label: string;
  isOff?: boolean;
  onClick: () => void;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
}

/** An icon button. It keeps the focus while it is off; a disabled button would lose it. */
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

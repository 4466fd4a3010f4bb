"use client";

import {
  type KeyboardEvent,
  type ReactNode,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from "react";
import { Search } from "#components/ui/icons.tsx";

interface SearchInputProps {
  label: string;
  placeholder: string;
  longest: number;
  value: string;
  onChange: (value: string) => void;
  onEnter?: () => void;
  onFocus?: () => void;
  onBlur?: () => void;
  /** The id of the text about the search. */
  describedBy?: string | undefined;
  children?: ReactNode;
}

/** The search field; `/` focuses it. */
export function SearchInput({
  label,
  placeholder,
  longest,
  value,
  onChange,
  onEnter,
  onFocus,
  onBlur,
  describedBy,
  children,
}: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const keepTyped = useEffectEvent(() => {
    const typed = input.current?.value ?? value;
    if (typed !== value) onChange(typed);
  });
  // Text may have been typed before hydration.
  useLayoutEffect(() => keepTyped(), []);
  function press(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onEnter?.();
  }
  return (
    <search className="mb-4 flex gap-2">
      <span className="relative block w-full md:w-96">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
        />
        <input
          ref={input}
          type="search"
          aria-label={label}
          aria-describedby={describedBy}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          maxLength={longest}
          value={value}
          onFocus={onFocus}
          onBlur={onBlur}
          onKeyDown={press}
          onChange={(event) => onChange(event.target.value)}
          className="input pl-8.5"
        />
      </span>
      {children}
    </search>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { ChevronsUpDown } from "#components/ui/icons.tsx";
import { controlProps, FieldFrame } from "./fields.tsx";

export interface ComboboxOption {
  title: string;
  /** The second line of the option. */
  note: string;
}

interface ComboboxProps {
  id: string;
  label: string;
  value: string;
  /** The field's text while it is not edited; empty without a selection. */
  chosen: string;
  /** The values that match the text; all for an empty text. */
  search: (words: string) => string[];
  /** Describes an option; called only for the shown ones. */
  describe: (value: string) => ComboboxOption;
  onChoose: (value: string) => void;
  /** The text shown if no option matches. */
  nothing: string;
  placeholder?: string;
  error?: string | undefined;
  ref?: RefObject<HTMLInputElement | null>;
}

/** Maximum rendered options; typing finds the others. */
const MOST_SHOWN = 200;

/** A combobox with a list box, as in the ARIA practices. */
export function Combobox(props: ComboboxProps) {
  const { id, label, value, chosen, search, onChoose, error, placeholder, ref } = props;
  const t = useTranslations("ui.combobox");
  const listbox = useListbox();
  const { words, isOpen } = listbox;
  const found = isOpen ? search(words ?? "") : [];
  const shown = found.slice(0, MOST_SHOWN);
  const active = isOpen ? shown[listbox.active] : undefined;

  function choose(next: string) {
    listbox.close();
    if (next !== value) onChoose(next);
  }

  function press(event: KeyboardEvent) {
    if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      // Keeps Enter from submitting the form.
      event.preventDefault();
      if (active) choose(active);
      else listbox.open(indexOf(search(""), value));
    } else if (event.key === "Tab" && active && words) choose(active);
    else listbox.press(event, shown.length, () => indexOf(search(""), value));
  }

  return (
    <FieldFrame {...{ id, label, error }}>
      <div className="relative">
        <input
          ref={ref}
          role="combobox"
          autoComplete="off"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={active ? `${id}-${listbox.active}` : undefined}
          {...controlProps(id, null, error)}
          placeholder={placeholder}
          value={words ?? chosen}
          title={chosen}
          onChange={(event) => listbox.type(event.target.value)}
          onClick={(event) => {
            if (words === null) event.currentTarget.select();
            listbox.open(indexOf(search(""), value));
          }}
          onBlur={listbox.close}
          onKeyDown={press}
          className="input truncate pr-8"
        />
        <ChevronsUpDown
          aria-hidden
          className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-muted"
        />
        {isOpen && <Popup {...props} {...{ listbox, shown, choose }} total={found.length} />}
        <span role="status" className="sr-only">
          {isOpen && (found.length === 0 ? props.nothing : t("found", { count: found.length }))}
        </span>
      </div>
    </FieldFrame>
  );
}

interface PopupProps extends Pick<
  ComboboxProps,
  "id" | "label" | "value" | "describe" | "nothing"
> {
  listbox: Listbox;
  shown: string[];
  total: number;
  choose: (value: string) => void;
}

function Popup(props: PopupProps) {
  const t = useTranslations("ui.combobox");
  const { id, label, value, describe, nothing, listbox, shown, total, choose } = props;
  return (
    <div
      role="presentation"
      className="absolute inset-x-0 top-full z-20 mt-1 overflow-hidden rounded-md border bg-surface shadow-raised"
      // Keeps a click from taking the focus out of the field.
      onMouseDown={(event) => event.preventDefault()}
    >
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t("choices", { label })}
        className="max-h-80 overflow-y-auto overscroll-contain p-1 empty:hidden max-md:max-h-72"
      >
        {shown.map((option, index) => (
          <OptionRow
            key={option}
            id={`${id}-${index}`}
            option={describe(option)}
            isActive={index === listbox.active}
            isChosen={option === value}
            onChoose={() => choose(option)}
          />
        ))}
      </div>
      {total === 0 && <p className="px-3 py-3 text-muted">{nothing}</p>}
      {total > shown.length && (
        <p className="border-t px-3 py-2 text-xs text-muted">
          {t("more", { shown: shown.length, total })}
        </p>
      )}
    </div>
  );
}

interface OptionRowProps {
  id: string;
  option: ComboboxOption;
  isActive: boolean;
  isChosen: boolean;
  onChoose: () => void;
}

function OptionRow({ id, option, isActive, isChosen, onChoose }: OptionRowProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    // The field handles keys, because it keeps the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={row}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      data-active={isActive || undefined}
      onClick={onChoose}
      className="cursor-pointer rounded px-2.5 py-1.5 hover:bg-sunken aria-selected:bg-accent-soft/60 data-active:outline-2 data-active:-outline-offset-2 data-active:outline-accent max-md:py-2.5"
    >
      <span className="block truncate font-medium">{option.title}</span>
      <span className="block truncate text-xs text-muted">{option.note}</span>
    </div>
  );
}

const indexOf = (options: string[], value: string) =>
  options.slice(0, MOST_SHOWN).indexOf(value);

type Listbox = ReturnType<typeof useListbox>;

/** A combobox's text, whether its list is open, and the active option. */
function useListbox() {
  /** The typed text; null while the field shows the selection. */
  const [words, setWords] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);

  function open(at: number) {
    if (isOpen) return;
    setOpen(true);
    setActive(at);
  }

  function close() {
    setOpen(false);
    setWords(null);
  }

  /** Enter selects the first match; nothing is active in an unfiltered list. */
  function type(text: string) {
    setWords(text);
    setOpen(true);
    setActive(text.trim() ? 0 : -1);
  }

  /** @param start the selected option's index, or -1 */
  function press(event: KeyboardEvent, count: number, start: () => number) {
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) open(Math.max(0, start()));
      else if (count > 0) setActive(step(active, key === "ArrowDown" ? 1 : -1, count));
    } else if (isOpen && (key === "PageDown" || key === "PageUp")) {
      event.preventDefault();
      const far = active + (key === "PageDown" ? 10 : -10);
      setActive(Math.min(Math.max(far, 0), count - 1));
    } else if (isOpen && key === "Escape") {
      event.preventDefault();
      close();
    }
  }

  return { words, isOpen, active, open, close, type, press };
}

/** The next index by a step, which wraps around at the ends. */
const step = (from: number, by: number, count: number) =>
  from < 0 && by < 0 ? count - 1 : (from + by + count) % count;

import { useState, type KeyboardEvent } from "react";

export type Listbox = ReturnType<typeof useListbox>;

/** A combobox's text, whether its list is open, and the active option. */
export function useListbox() {
  /** Null while the field shows the selection. */
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

/** Wraps around at the ends. */
const step = (from: number, by: number, count: number) =>
  from < 0 && by < 0 ? count - 1 : (from + by + count) % count;

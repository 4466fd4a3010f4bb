import { useState, type KeyboardEvent } from "react";

export type Listbox = ReturnType<typeof useListbox>;

/** What is typed into a combobox, whether its list is open, and which option the keys stand on. */
export function useListbox() {
  /** Null while the field shows what is chosen. */
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

  /** The first that fits is at hand for Enter; of all of them, none. */
  function type(text: string) {
    setWords(text);
    setOpen(true);
    setActive(text.trim() ? 0 : -1);
  }

  /** @param start which option is chosen, -1 for none */
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

/** Round the ends. */
const step = (from: number, by: number, count: number) =>
  from < 0 && by < 0 ? count - 1 : (from + by + count) % count;

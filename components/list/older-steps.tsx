import Link from "next/link";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";

interface OlderStepsProps {
  /** Where this page begins; null on the first one. */
  before: string | null;
  /** Where the next one begins; null on the last one. */
  next: string | null;
  pathTo: (before: string | null) => string;
  words: { label: string; newest: string; older: string };
}

/** The way through what is read from the newest to the oldest, a page at a time. */
export function OlderSteps({ before, next, pathTo, words }: OlderStepsProps) {
  if (before === null && next === null) return null;
  return (
    <nav aria-label={words.label} className="mt-3 flex justify-end gap-2">
      {before !== null && (
        <Link href={pathTo(null)} className={buttonClass()}>
          {words.newest}
        </Link>
      )}
      {next === null ? (
        <Button disabled>{words.older}</Button>
      ) : (
        <Link href={pathTo(next)} className={buttonClass()}>
          {words.older}
        </Link>
      )}
    </nav>
  );
}

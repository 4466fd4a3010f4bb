import { SearchX } from "lucide-react";
import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/notice.tsx";

interface KeysetListProps {
  /** Where this page begins; null on the first one. */
  before: string | null;
  /** Where the next one begins; null on the last one. */
  next: string | null;
  pathTo: (before: string | null) => string;
  words: { label: string; newest: string; older: string };
  isEmpty: boolean;
  /** In place of the rows if there are none at all. */
  empty: ComponentProps<typeof StatePanel>;
  /** In place of the rows if filters exclude all; null if the list is not filtered. */
  noMatch: { title: string; text: string; all: string; allPath: string } | null;
  /** Surrounds the rows, or what stands in their place. */
  frame?: (content: ReactNode) => ReactNode;
  children: ReactNode;
}

/** A list that is read from the newest row to the oldest, a page at a time. */
export function KeysetList(props: KeysetListProps) {
  const { before, next, pathTo, words, isEmpty, empty, noMatch, children } = props;
  const { frame = (content) => content } = props;
  return (
    <>
      {frame(isEmpty ? <NoRows {...{ empty, noMatch }} /> : children)}
      {(before !== null || next !== null) && (
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
      )}
    </>
  );
}

function NoRows({ empty, noMatch }: Pick<KeysetListProps, "empty" | "noMatch">) {
  if (!noMatch) return <StatePanel {...empty} />;
  return (
    <StatePanel
      icon={SearchX}
      title={noMatch.title}
      text={noMatch.text}
      action={
        <Link href={noMatch.allPath} className={buttonClass()}>
          {noMatch.all}
        </Link>
      }
    />
  );
}

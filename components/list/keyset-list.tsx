import { SearchX } from "lucide-react";
import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/notice.tsx";

interface KeysetListProps {
  /** The cursor of this page; null on the first one. */
  before: string | null;
  /** The cursor of the next page; null on the last one. */
  next: string | null;
  pathTo: (before: string | null) => string;
  words: { label: string; newest: string; older: string };
  isEmpty: boolean;
  /** Shown if there are no rows at all. */
  empty: ComponentProps<typeof StatePanel>;
  /** Shown if no row matches the filters; null without filters. */
  noMatch: { title: string; text: string; all: string; allPath: string } | null;
  /** Wraps the rows, or what replaces them. */
  frame?: (content: ReactNode) => ReactNode;
  children: ReactNode;
}

/** A list with cursors, from the newest row to the oldest. */
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

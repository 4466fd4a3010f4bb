import { useTranslations } from "next-intl";
import type { ComponentProps, ReactNode } from "react";
import { PageLink } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { SearchX } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";

type LinkComponent = (props: {
  href: string;
  className: string;
  children: ReactNode;
}) => ReactNode;

interface KeysetListProps {
  /** The cursor of this page; null on the first one. */
  before: string | null;
  /** The cursor of the next page; null on the last one. */
  next: string | null;
  pathTo: (before: string | null) => string;
  /** The link component of a list that reads its rows in the browser. */
  link?: LinkComponent;
  isEmpty: boolean;
  /** The message if there are no rows at all. */
  empty: ComponentProps<typeof StatePanel>;
  /** The message if no row matches the filters; null without filters. */
  noMatch: { title: string; text: string; all: string; allPath: string } | null;
  /** Wraps the rows, or the message shown in their place. */
  frame?: (content: ReactNode) => ReactNode;
  children: ReactNode;
}

/** A list that is paged by cursors, newest row first. */
export function KeysetList(props: KeysetListProps) {
  const { before, next, pathTo, isEmpty, empty, noMatch, children } = props;
  const { link: LinkTo = PageLink, frame = (content) => content } = props;
  const t = useTranslations("table.pages");
  return (
    <>
      {frame(isEmpty ? <NoRows {...{ empty, noMatch }} link={LinkTo} /> : children)}
      {(before !== null || next !== null) && (
        <nav aria-label={t("label")} className="mt-3 flex justify-end gap-2">
          {before !== null && (
            <LinkTo href={pathTo(null)} className={buttonClass()}>
              {t("newest")}
            </LinkTo>
          )}
          {next === null ? (
            <Button disabled>{t("older")}</Button>
          ) : (
            <LinkTo href={pathTo(next)} className={buttonClass()}>
              {t("older")}
            </LinkTo>
          )}
        </nav>
      )}
    </>
  );
}

function NoRows({
  empty,
  noMatch,
  link: LinkTo,
}: Pick<KeysetListProps, "empty" | "noMatch"> & { link: LinkComponent }) {
  if (!noMatch) return <StatePanel {...empty} />;
  return (
    <StatePanel
      icon={SearchX}
      title={noMatch.title}
      text={noMatch.text}
      action={
        <LinkTo href={noMatch.allPath} className={buttonClass()}>
          {noMatch.all}
        </LinkTo>
      }
    />
  );
}

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { keepWords, useWords } from "#components/list/filters/use-words.ts";
import { viewsQuery } from "#lib/subscriptions/views/queries.ts";
import {
  askedAt,
  viewAt,
  viewOf,
  type Asked,
  type View,
} from "#lib/subscriptions/views/rules.ts";
import { useScope } from "#components/context/seller-context.tsx";

const NONE: readonly View[] = [];

/** This person's own views, then those of all; they come with the frame around every page. */
export const useViews = (): readonly View[] => useQuery(viewsQuery(useScope())).data ?? NONE;

const LIST = "subscriptions";

/** For a client that opens a view: the rest of it stands in its address. */
export const keepLine = (
  client: Parameters<typeof keepWords>[0],
  scope: Parameters<typeof keepWords>[1],
  words: string,
) => keepWords(client, scope, LIST, words);

/** What is typed above the list of subscriptions, or was when the view was saved that the address names. */
export const useSubscriptionLine = () => useLine(useViews());

function useLine(views: readonly View[]) {
  const id = viewAt(useSearchParams());
  return useWords(LIST, views.find((view) => view.id === id)?.words);
}

export interface ListView {
  asked: Asked;
  /** As useSubscriptionLine's. */
  line: string;
  setLine: (line: string) => void;
  views: readonly View[];
  /** The view that the list equals. */
  current: View | undefined;
  /** The one that it equalled last, until everything is listed again. */
  opened: View | undefined;
  /** For the list itself: remembers what is opened. */
  remember: () => void;
}

/** Which of the saved views the list at this address is. */
export function useListView(): ListView {
  const views = useViews();
  const [line, setLine] = useLine(views);
  const [opened, setOpened] = useWords("opened view");
  const asked = askedAt(useSearchParams(), line);
  const current = viewOf(views, asked, opened);
  const next = current?.id ?? (isEverything(asked) ? "" : opened);
  return {
    asked,
    line,
    setLine,
    views,
    current,
    opened: views.find(({ id }) => id === opened),
    remember: () => void (next !== opened && setOpened(next)),
  };
}

const isEverything = ({ query, words }: Asked) => query === "" && words.trim() === "";

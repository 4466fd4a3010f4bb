import { pushUrl } from "#components/list/url-link.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { wholeSearch } from "#lib/subscriptions/query-line.ts";
import {
  subscriptionsPath,
  wholeQueryString,
  type SubscriptionSearch,
} from "#lib/subscriptions/search.ts";
import type { Asked } from "#lib/subscriptions/views/rules.ts";

export interface AskedList {
  search: SubscriptionSearch;
  /** As a view keeps it. */
  asked: Asked;
  /** Shows the list as it is kept: terms that nobody pressed Enter after become filters. */
  settle: () => void;
}

/** What is listed, with what stands in the line above it. */
export function useAskedList(
  shown: SubscriptionSearch,
  [line, setLine]: readonly [line: string, setLine: (line: string) => void],
): AskedList {
  const scope = useScope();
  const { search, words } = wholeSearch(shown, line);
  return {
    search,
    asked: { query: wholeQueryString(search).replace("?", ""), words },
    settle: () => {
      setLine(words);
      pushUrl(subscriptionsPath(scope, search));
    },
  };
}

import { hashKey, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import type { Scope } from "#lib/scope.ts";

const wordsKey = (scope: Scope, list: string) => [scope, list, "words"] as const;

/** Sets a list's search text in all components that show it. */
export function setSearchText(client: QueryClient, scope: Scope, list: string, words: string) {
  const queryKey = wordsKey(scope, list);
  // Kept forever: without observers, it would be garbage-collected after some minutes.
  client.setQueryDefaults(queryKey, { gcTime: Infinity });
  client.setQueryData(queryKey, words);
}

/**
 * A list's search text. It is not in the URL, which is logged, and is kept while the user visits a record.
 * @param list the list's name
 * @param first the initial text
 */
export function useSearchText(list: string, first = ""): [string, (words: string) => void] {
  const client = useQueryClient();
  const scope = useScope();
  const listen = useCallback(
    (onChange: () => void) => {
      const hash = hashKey(wordsKey(scope, list));
      return client.getQueryCache().subscribe(({ query }) => {
        if (query.queryHash === hash) onChange();
      });
    },
    [client, scope, list],
  );
  const kept = () => client.getQueryData<string>(wordsKey(scope, list));
  const read = () => kept() ?? first;
  const words = useSyncExternalStore(listen, read, read);
  useEffect(() => {
    if (first !== "" && kept() === undefined) setSearchText(client, scope, list, first);
  });
  return [words, (next) => setSearchText(client, scope, list, next)];
}

const PAUSE_MS = 200;

/**
 * The value once it has not changed for a while, so that typing does not send a request for each
 * letter.
 */
export function useDebounced<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const pause = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(pause);
  }, [value]);
  return settled;
}

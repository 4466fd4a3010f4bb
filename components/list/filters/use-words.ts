import { hashKey, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import type { Scope } from "#lib/scope.ts";

const wordsKey = (scope: Scope, list: string) => [scope, list, "words"] as const;

/** Whoever shows the words of this list shows these from now on. */
export function keepWords(client: QueryClient, scope: Scope, list: string, words: string) {
  const queryKey = wordsKey(scope, list);
  // Nobody observes it, and what is observed by nobody would be thrown away after some minutes.
  client.setQueryDefaults(queryKey, { gcTime: Infinity });
  client.setQueryData(queryKey, words);
}

/**
 * What is searched for in a list: not in the address, which is logged, and still there on the way back.
 * @param list whose field it is
 * @param first what stands there to begin with
 */
export function useWords(list: string, first = ""): [string, (words: string) => void] {
  const client = useQueryClient();
  const scope = useScope();
  const listen = useCallback(
    (onChange: () => void) => {
      const hash = hashKey(wordsKey(scope, list));
      // Others change them too, as a view does that is opened.
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
    if (first !== "" && kept() === undefined) keepWords(client, scope, list, first);
  });
  return [words, (next) => keepWords(client, scope, list, next)];
}

const PAUSE_MS = 200;

/** The value as it was when it last stood still: nobody wants to be asked at each letter. */
export function useDebounced<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const pause = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(pause);
  }, [value]);
  return settled;
}

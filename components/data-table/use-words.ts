import { hashKey, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useScope } from "#components/layout/seller-context.tsx";
import type { Scope } from "#lib/auth/scope.ts";

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
  const [words, setWords] = useState(
    () => client.getQueryData<string>(wordsKey(scope, list)) ?? first,
  );
  useEffect(() => {
    const key = wordsKey(scope, list);
    const hash = hashKey(key);
    const read = () => client.getQueryData<string>(key);
    if (read() === undefined && first !== "") keepWords(client, scope, list, first);
    // Others change them too, as a view does that is opened; some have before this could listen.
    const take = () => setWords((before) => read() ?? before);
    take();
    return client.getQueryCache().subscribe(({ query }) => {
      if (query.queryHash === hash) take();
    });
  }, [client, scope, list, first]);
  function change(next: string) {
    keepWords(client, scope, list, next);
    setWords(next);
  }
  return [words, change];
}

const PAUSE_MS = 200;

/** The value as it was when it last stood still: nobody wants to be asked at each letter. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const pause = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(pause);
  }, [value]);
  return settled;
}

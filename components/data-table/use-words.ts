import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useScope } from "#components/layout/seller-context.tsx";

/**
 * What is searched for in a list: not in the address, which is logged, and still there on the way back.
 * @param list whose field it is
 */
export function useWords(list: string): [string, (words: string) => void] {
  const queryClient = useQueryClient();
  const key = [useScope(), list, "words"] as const;
  const [words, setWords] = useState(() => queryClient.getQueryData<string>(key) ?? "");
  function change(next: string) {
    queryClient.setQueryData(key, next);
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

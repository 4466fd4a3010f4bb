"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useSeller } from "#components/layout/seller-context.tsx";

/** Milliseconds: the page is painted, filled and at work before it. */
const AFTER = 1_500;

/** Once a page: lets it follow what happens elsewhere. */
export function Live() {
  const client = useQueryClient();
  const { scope, person, now } = useSeller();
  // What the page shows was read then; the clock goes on.
  const rendered = useRef(now);
  useEffect(() => {
    let stop = () => {};
    let isGone = false;
    const start = async () => {
      const { startLink } = await import("./link.ts");
      if (!isGone) stop = startLink({ client, scope, person, since: rendered.current });
    };
    const timer = setTimeout(() => {
      // Without the code pages look by themselves, as they did before.
      if ("requestIdleCallback" in window)
        requestIdleCallback(() => void start().catch(() => {}));
      else void start().catch(() => {});
    }, AFTER);
    return () => {
      isGone = true;
      clearTimeout(timer);
      stop();
    };
  }, [client, scope, person]);
  return null;
}

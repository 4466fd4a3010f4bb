"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { secondsBeforeLook } from "./looks.ts";

/** Refreshes the page until it shows the payment. */
export function LookAgain() {
  const router = useRouter();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const plan = (looks: number) => {
      timer = setTimeout(
        () => {
          router.refresh();
          plan(looks + 1);
        },
        secondsBeforeLook(looks) * 1_000,
      );
    };
    plan(0);
    return () => clearTimeout(timer);
  }, [router]);
  return null;
}

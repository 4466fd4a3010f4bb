"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

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

// A payment usually arrives soon; later checks are rare but go on, as the open page promises.
const FIRST = [2, 3, 5, 10, 20];
const THEN = 60;

export const secondsBeforeLook = (looks: number): number => FIRST[looks] ?? THEN;

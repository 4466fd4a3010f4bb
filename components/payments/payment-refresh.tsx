"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Refreshes the page until it shows the payment. */
export function PaymentRefresh() {
  const router = useRouter();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const plan = (refreshes: number) => {
      timer = setTimeout(
        () => {
          router.refresh();
          plan(refreshes + 1);
        },
        secondsBeforeRefresh(refreshes) * 1_000,
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

export const secondsBeforeRefresh = (refreshes: number): number => FIRST[refreshes] ?? THEN;

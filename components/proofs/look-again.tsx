"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Seconds after the page was opened: a payment arrives soon, or its buyer has long gone. */
const LOOKS = [2, 5, 10, 20, 40];

/** Reads the page again by itself for a while. */
export function LookAgain() {
  const router = useRouter();
  useEffect(() => {
    const timers = LOOKS.map((seconds) => setTimeout(() => router.refresh(), seconds * 1_000));
    return () => timers.forEach(clearTimeout);
  }, [router]);
  return null;
}

"use client";

import type { ToPay } from "#lib/format/format.ts";
import { useFormat } from "./use-format.ts";

/** What is to be paid, or that only the list price is known. */
export function Amount({ to_pay }: { to_pay: ToPay }) {
  const format = useFormat();
  return to_pay.amount === "" ? null : <>{format.toPay(to_pay)}</>;
}

"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import type { Failure } from "#lib/failure.ts";
import { FailurePanel } from "./failure-panel.tsx";

/** Replaces a page that the server could not read; trying again renders it again. */
export function RefreshFailure({ failure }: { failure: Failure }) {
  const router = useRouter();
  const [isFetching, startTransition] = useTransition();
  const refetch = () => startTransition(() => router.refresh());
  return <FailurePanel failure={failure} query={{ isFetching, refetch }} />;
}

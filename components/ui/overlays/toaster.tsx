"use client";

import { lazy, Suspense, useSyncExternalStore } from "react";
import { hasToasts, onFirstToast } from "./toast.ts";

const ToastRegion = lazy(async () => ({
  default: (await import("./toast-region.tsx")).ToastRegion,
}));

/** Once per page: loads the toast code with the first toast. */
export function Toaster() {
  const isNeeded = useSyncExternalStore(onFirstToast, hasToasts, () => false);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={null}>
      <ToastRegion />
    </Suspense>
  );
}

"use client";

import { lazy, Suspense, useSyncExternalStore } from "react";
import { hasToasts, onFirstToast } from "./toast.ts";

const ToastRegion = lazy(async () => ({
  default: (await import("./toast-region.tsx")).ToastRegion,
}));

/** Once a page: brings the part that shows messages when the first one comes. */
export function Toaster() {
  const isNeeded = useSyncExternalStore(onFirstToast, hasToasts, () => false);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={null}>
      <ToastRegion />
    </Suspense>
  );
}

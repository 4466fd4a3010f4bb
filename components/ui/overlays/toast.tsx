"use client";

import { lazy, Suspense, useSyncExternalStore } from "react";

export interface ToastMessage {
  text: string;
  /** Whether the toast reports a failure; it is announced at once and stays until dismissed. */
  isFailure?: boolean;
  /** Undoes the action that the toast reports. */
  onUndo?: () => void;
}

type Show = (message: ToastMessage) => void;

let show: Show | null = null;
let hasAny = false;
const early: ToastMessage[] = [];
const listeners = new Set<() => void>();

/** Shows a toast, for results that the page itself does not show. */
export function showToast(message: ToastMessage): void {
  if (show) return show(message);
  early.push(message);
  hasAny = true;
  for (const listener of listeners) listener();
}

/** Subscribes to toasts, including earlier ones. */
export function subscribeToToasts(take: Show): () => void {
  show = take;
  for (const message of early.splice(0)) take(message);
  return () => {
    show = null;
  };
}

/** Whether any toast was shown yet; for useSyncExternalStore. */
export const hasToasts = () => hasAny;

export function onFirstToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const ToastRegion = lazy(async () => ({
  default: (await import("./toast-region.tsx")).ToastRegion,
}));

/** The place of toasts, once per page; loads their code with the first toast. */
export function Toaster() {
  const isNeeded = useSyncExternalStore(onFirstToast, hasToasts, () => false);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={null}>
      <ToastRegion />
    </Suspense>
  );
}

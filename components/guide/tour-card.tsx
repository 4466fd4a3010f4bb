"use client";

import { useTranslations } from "next-intl";
import { useEffect, useId, useRef, useState } from "react";
import { useFormat } from "#components/values/use-format.ts";
import { Button } from "#components/ui/button.tsx";
import { STEPS, TARGETS, type GuideStep } from "./steps.ts";

/** A non-modal card at the bottom, beside the element it explains. */
export function TourCard({ onLeave }: { onLeave: () => void }) {
  const t = useTranslations("guide");
  const format = useFormat();
  const id = useId();
  const [at, setAt] = useState(0);
  const card = useRef<HTMLDivElement>(null);
  const step = STEPS[at] ?? "due";
  const isLast = at === STEPS.length - 1;
  useMark(step);
  useEffect(() => {
    const leaveByKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && card.current?.contains(document.activeElement)) onLeave();
    };
    document.addEventListener("keydown", leaveByKey);
    return () => document.removeEventListener("keydown", leaveByKey);
  }, [onLeave]);
  // The user's click opened or advanced it, so the focus moves here and a screen reader reads it.
  useEffect(() => card.current?.focus(), [at]);
  return (
    <div
      ref={card}
      role="dialog"
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className="fixed right-4 bottom-4 z-40 w-88 rounded-lg border bg-surface p-4 shadow-raised max-md:inset-x-3 max-md:bottom-[calc(4.25rem+env(safe-area-inset-bottom))] max-md:w-auto print:hidden"
    >
      <p className="text-sm text-muted tabular-nums">
        {t("tour.progress", {
          step: format.count(at + 1),
          count: format.count(STEPS.length),
        })}
      </p>
      <h2 id={`${id}-title`} className="font-semibold">
        {t(`steps.${step}.title`)}
      </h2>
      <p id={`${id}-text`} className="mt-1 text-muted">
        {t(`steps.${step}.text`)}
      </p>
      <div className="mt-3 flex items-center gap-2">
        <Button look="quiet" className="mr-auto -ml-3 text-muted" onClick={onLeave}>
          {t("tour.leave")}
        </Button>
        {at > 0 && <Button onClick={() => setAt(at - 1)}>{t("tour.back")}</Button>}
        <Button look="primary" onClick={() => (isLast ? onLeave() : setAt(at + 1))}>
          {t(isLast ? "tour.done" : "tour.next")}
        </Button>
      </div>
    </div>
  );
}

/** Outlines the element of the current step. */
function useMark(step: GuideStep) {
  useEffect(() => {
    const target = [...document.querySelectorAll<HTMLElement>(TARGETS[step])].find((one) =>
      one.checkVisibility(),
    );
    if (!target) return;
    target.setAttribute("data-tour-target", "");
    target.scrollIntoView({ block: "nearest" });
    return () => target.removeAttribute("data-tour-target");
  }, [step]);
}

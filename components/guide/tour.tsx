"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect, useId, useRef, useState } from "react";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Compass } from "#components/ui/icons.tsx";
import { leaveTourAction } from "#lib/account/actions.ts";
import { scopePath } from "#lib/scope.ts";

interface TourProps {
  /** Whether this person has neither left nor declined the tour yet. */
  isNew: boolean;
  /** Whether the person started the tour from the menu. */
  isAsked: boolean;
}

/** Offers the tour until the person leaves or declines it; the page stays usable during it. */
export function Tour({ isNew, isAsked }: TourProps) {
  const t = useTranslations("guide.tour");
  const router = useRouter();
  const scope = useScope();
  const [isOn, setOn] = useState(isAsked);
  const [isLeft, setLeft] = useState(!isNew);

  function leave() {
    setOn(false);
    setLeft(true);
    // An error here is not shown: the tour is just offered again.
    if (isNew) void leaveTourAction({}).catch(() => null);
    if (isAsked) router.replace(scopePath(scope), { scroll: false });
  }

  if (isOn) return <TourCard onLeave={leave} />;
  if (isLeft) return null;
  return (
    <section
      aria-label={t("start")}
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border bg-surface px-4 py-2 shadow-card"
    >
      <Compass aria-hidden className="size-4 shrink-0 text-accent" />
      <p className="min-w-0 flex-1 basis-48">{t("invitation")}</p>
      <Button onClick={() => setOn(true)}>{t("start")}</Button>
      <Button look="quiet" onClick={leave}>
        {t("notNow")}
      </Button>
    </section>
  );
}

/** A non-modal card at the bottom; the element that it explains is outlined. */
function TourCard({ onLeave }: { onLeave: () => void }) {
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
  // The user's click opened or advanced the card, so the focus moves to it and a screen reader
  // reads it.
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
        <Button look="quiet" className="mr-auto -ml-3" onClick={onLeave}>
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

/** The five steps of the tour and the quick guide. */
export const STEPS = ["due", "create", "send", "change", "keys"] as const;
type GuideStep = (typeof STEPS)[number];

/** The element of the overview that each step outlines, if the role and the screen have it. */
const TARGETS: Record<GuideStep, string> = {
  due: 'main a[href$="?status=due"]',
  create: 'nav a[href$="/subscriptions/new"]',
  send: "main li button",
  change: 'nav a[href$="/subscriptions"]',
  keys: 'header [aria-haspopup="menu"]:last-of-type',
};

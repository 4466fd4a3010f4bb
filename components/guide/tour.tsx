"use client";

import { Compass } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { leaveTourAction } from "#lib/account/actions.ts";
import { scopePath } from "#lib/scope.ts";
import { TourCard } from "./tour-card.tsx";

interface TourProps {
  /** This person has not been offered the tour yet. */
  isNew: boolean;
  /** The person started it from the menu. */
  isAsked: boolean;
}

/** Offers the tour once; the page stays usable during it. */
export function Tour({ isNew, isAsked }: TourProps) {
  const t = useTranslations("guide.tour");
  const router = useRouter();
  const scope = useScope();
  const [isOn, setOn] = useState(isAsked);
  const [isLeft, setLeft] = useState(!isNew);

  function leave() {
    setOn(false);
    setLeft(true);
    // If saving fails, the tour is offered again; that needs no error message.
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

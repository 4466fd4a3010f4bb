"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import {
  PageLink,
  useFormat,
  usePermission,
  useScope,
} from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { ExplainedButton } from "#components/ui/explained-button.tsx";
import { CircleCheck, TriangleAlert, Undo2 } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { deliveriesPath } from "#lib/deliveries/search.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { Forecast } from "#lib/sandbox/queries.ts";
import { countDeliveries, countEvents } from "#lib/sandbox/rules.ts";
import { ChangeList } from "./change-list.tsx";
import { SandboxFailure, useMissingPermissionText } from "./use-sandbox-action.tsx";
import type { ClockMoveState, SentClockMove } from "./use-clock-move.ts";

/** @param now ISO time of the service */
export function ClockForecast({ now, move }: { now: string; move: ClockMoveState }) {
  const t = useTranslations("sandbox");
  const tryAgain = useTranslations("failures");
  const { target, forecast, failure, forecastFailure, moved, lost } = move;
  return (
    <div aria-live="polite" className="mt-4 empty:sr-only">
      <SandboxFailure failure={failure ?? forecastFailure} />
      {lost !== null && <LostMove to={lost} move={move} />}
      {moved && <WhatHappened moved={moved} move={move} />}
      {target !== null && !forecastFailure && (
        <div className="border-t pt-4">
          {forecast.data ? (
            <WhatWillHappen forecast={forecast.data} now={now} move={move} />
          ) : (
            <div aria-busy>
              <p className="sr-only">{t("preview.reading")}</p>
              <span className="skeleton h-6 w-72 max-w-full" />
              <span className="skeleton mt-3 h-24" />
            </div>
          )}
        </div>
      )}
      {forecastFailure && (
        <div className="flex gap-2">
          <Button onClick={() => void forecast.refetch()} isPending={forecast.isFetching}>
            {tryAgain("tryAgain")}
          </Button>
          <Button look="quiet" onClick={() => move.choose(null)}>
            {t("leaveIt")}
          </Button>
        </div>
      )}
    </div>
  );
}

interface WhatWillHappenProps {
  forecast: Forecast;
  now: string;
  move: ClockMoveState;
}

function WhatWillHappen({ forecast, now, move }: WhatWillHappenProps) {
  const t = useTranslations("sandbox");
  const format = useFormat(now);
  const obstacle = useMissingPermissionText("sandbox:write");
  const { to, buyers } = forecast;
  return (
    <>
      <h3 className="font-medium">
        {t.rich("preview.until", {
          time: format.dateTime(to),
          relative: format.relativeDay(to),
          moment: (words) => <span className="tabular-nums">{words}</span>,
          quiet: (words) => <span className="font-normal text-muted">{words}</span>,
        })}
      </h3>
      <p className="mt-0.5 text-sm text-muted">{describeForecast(t, forecast)}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <ExplainedButton
          look="primary"
          reason={obstacle}
          isPending={move.isPending}
          onClick={() => void move.move(to)}
        >
          {t(move.isPending ? "clock.moving" : "clock.move")}
        </ExplainedButton>
        <Button look="quiet" disabled={move.isPending} onClick={() => move.choose(null)}>
          {t("leaveIt")}
        </Button>
      </div>
      <ChangeList
        passage={forecast}
        buyers={buyers}
        receivers={forecast.receivers}
        label={t("preview.willHappen")}
        isForecast
      />
      {forecast.count > 0 && <p className="mt-3 text-sm text-muted">{t("preview.unknown")}</p>}
    </>
  );
}

function describeForecast(t: Translate<"sandbox">, forecast: Forecast): string {
  const { count: changes } = forecast;
  if (changes === 0) return t("preview.nothing");
  const events = countEvents(forecast);
  const deliveries = countDeliveries(forecast);
  return deliveries === null
    ? t("preview.causes", { changes, events })
    : t("preview.causesDeliveries", { changes, events, deliveries });
}

function WhatHappened({ moved: { passage, buyers, receivers }, move }: WhatHappenedProps) {
  const t = useTranslations("sandbox.preview");
  const format = useFormat();
  const scope = useScope();
  const mayRead = usePermission("webhooks:read");
  const notice = useRef<HTMLDivElement>(null);
  // The clicked button and the list above it are gone, so the focus moves here.
  useEffect(() => notice.current?.focus(), []);
  const { count, to, undo } = passage;
  return (
    <div className="border-t pt-4">
      <Notice ref={notice} tabIndex={-1} icon={CircleCheck} role="status">
        {t.rich("stands", {
          time: format.dateTime(to),
          changes: count,
          events: countEvents(passage),
          moment: (words) => <span className="tabular-nums">{words}</span>,
        })}
      </Notice>
      <SandboxFailure failure={move.undoFailure} />
      {undo !== null && (
        <Button
          className="mt-3"
          isPending={move.isGoingBack}
          onClick={() => void move.undo(undo)}
        >
          <Undo2 aria-hidden className="size-4" />
          {t("undo")}
        </Button>
      )}
      <ChangeList
        passage={passage}
        buyers={buyers}
        receivers={receivers}
        label={t("happened")}
      />
      {mayRead && countEvents(passage) > 0 && (
        <PageLink
          href={deliveriesPath(scope)}
          className="mt-3 inline-block rounded text-sm font-medium text-accent hover:underline"
        >
          {t("deliveries")}
        </PageLink>
      )}
    </div>
  );
}

interface WhatHappenedProps {
  moved: SentClockMove & { passage: NonNullable<SentClockMove["passage"]> };
  move: ClockMoveState;
}

/** Offers to repeat a move whose answer was lost; safe, because its target is an absolute time. */
function LostMove({ to, move }: { to: string; move: ClockMoveState }) {
  const t = useTranslations("sandbox.preview");
  const time = useFormat().dateTime(to);
  return (
    <Notice look="warning" icon={TriangleAlert} role="alert" className="mb-4">
      <p className="font-medium">{t("lost")}</p>
      <p>
        {to === ""
          ? t("lostNoTarget")
          : t(move.hasArrived ? "arrived" : "notArrived", { time })}
      </p>
      {!move.hasArrived && (
        <Button className="mt-2" isPending={move.isPending} onClick={() => void move.move(to)}>
          {t("moveOn")}
        </Button>
      )}
    </Notice>
  );
}

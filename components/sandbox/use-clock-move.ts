import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { failureOf } from "#lib/failure.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { moveClockAction } from "#lib/sandbox/actions.ts";
import {
  forecastQuery,
  sandboxQuery,
  type Forecast,
  type CompletedMove,
} from "#lib/sandbox/queries.ts";
import { parseClockTarget, type ClockTarget } from "#lib/sandbox/search.ts";
import { isOutcomeUnknown, useRestore, useSandboxAction } from "./use-sandbox-action.tsx";

const LOOK_AGAIN_MS = 1_500;

/** A move that was sent; `passage` is null until its answer arrives, and if that is lost. */
export interface SentClockMove {
  to: string;
  passage: CompletedMove | null;
  buyers: Forecast["buyers"];
  receivers: Forecast["receivers"];
}

export type ClockMoveState = ReturnType<typeof useClockMove>;

export function useClockMove() {
  const scope = useScope();
  const queryClient = useQueryClient();
  const t = useTranslations("sandbox.states");
  const searchParams = useSearchParams();
  const [target, setTarget] = useState<ClockTarget | null>(() =>
    parseClockTarget(searchParams),
  );
  const [moved, setMoved] = useState<SentClockMove | null>(null);
  const { run, isPending, failure, clear } = useSandboxAction(moveClockAction);
  const { showUndoToast, ...back } = useRestore();
  const { data } = useQuery({
    ...sandboxQuery(scope),
    // Polls the clock: the service commits a long move step by step.
    refetchInterval: (asked) => {
      const isMoving = isPending || isOnItsWay(moved, asked.state.data?.clock?.now);
      return refetchEvery(isMoving && LOOK_AGAIN_MS)(asked);
    },
  });
  const isUnknown = isOutcomeUnknown(failure);
  const hasArrived = !isOnItsWay(moved, data?.clock?.now);
  // The clock shows that the move was made, so its forecast is over.
  const isOver = isUnknown && hasArrived;
  const forecast = useQuery({
    ...forecastQuery(scope, target ?? { to: "" }),
    enabled: target !== null && !isPending && !isOver,
    refetchOnWindowFocus: false,
  });

  function choose(wanted: ClockTarget | null) {
    clear();
    setMoved(null);
    setTarget(wanted);
  }

  async function move(to: string | null) {
    const { buyers = {}, receivers = null } = forecast.data ?? {};
    await queryClient.cancelQueries({ queryKey: sandboxQuery(scope).queryKey });
    setMoved({ to: to ?? "", passage: null, buyers, receivers });
    const done = await run({ to });
    if (done) {
      setTarget(null);
      setMoved({
        to: done.value.to,
        passage: done.value,
        buyers: { ...buyers, ...namesOf(done.value) },
        receivers,
      });
      if (done.value.undo !== null) showUndoToast(t("moved"), done.value.undo);
    }
  }

  async function undo(state: number) {
    if (await back.restore(state)) setMoved(null);
  }

  return {
    target: isOver ? null : target,
    forecast,
    forecastFailure: target && !isOver && forecast.error ? failureOf(forecast.error) : null,
    isPending,
    failure: isUnknown ? null : failure,
    /** The target of the last move if its answer was lost. */
    lost: isUnknown && moved ? moved.to : null,
    hasArrived,
    moved: moved?.passage ? { ...moved, passage: moved.passage } : null,
    choose,
    move,
    undo,
    isGoingBack: back.isPending,
    undoFailure: back.failure,
  };
}

/** The buyers that the service names in the steps. */
const namesOf = ({ steps }: CompletedMove): Forecast["buyers"] =>
  Object.fromEntries(
    steps
      .filter(({ full_name }) => full_name !== "")
      .map(({ subscription_id, full_name }) => [subscription_id, full_name]),
  );

function isOnItsWay(moved: SentClockMove | null, now: string | undefined): boolean {
  if (!moved || moved.passage || moved.to === "" || now === undefined) return false;
  return Date.parse(now) < Date.parse(moved.to);
}

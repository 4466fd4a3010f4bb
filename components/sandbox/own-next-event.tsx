"use client";

import { useQuery } from "@tanstack/react-query";
import { SkipForward } from "lucide-react";
import { useTranslations } from "next-intl";
import { useScope } from "#components/shell/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { ExplainedButton } from "#components/ui/explained-button.tsx";
import { showToast } from "#components/ui/overlays/toast.ts";
import { moveClockAction } from "#lib/sandbox/actions.ts";
import { nextEventQuery } from "#lib/sandbox/queries.ts";
import { reasonWords } from "#lib/sandbox/rules.ts";
import { useRestore } from "./use-restore.ts";
import { useRoleObstacle, useSandboxAction } from "./use-sandbox-action.ts";

interface OwnNextEventProps {
  subscription_id: string;
  /** The service's, ISO */
  now: string;
}

/** What time next does to this one, how much else until then, and one press to it. */
export function OwnNextEvent({ subscription_id, now }: OwnNextEventProps) {
  const t = useTranslations("sandbox");
  const format = useFormat(now);
  const obstacle = useRoleObstacle("sandbox:write");
  const { tellUndoable } = useRestore();
  const { run, isPending } = useSandboxAction(moveClockAction);
  const { data } = useQuery({
    ...nextEventQuery(useScope(), subscription_id),
    retry: false,
    refetchInterval: false,
  });
  const next = data?.next?.next;
  if (!next || Date.parse(next.at) <= Date.parse(now)) return null;
  const others = data.next?.others ?? 0;

  async function jump(to: string) {
    const done = await run({ to });
    const time = format.dateTime(to);
    if (done) tellUndoable(t("payment.jumped", { time }), done.value.undo);
    else showToast({ text: t("payment.notJumped"), isFailure: true });
  }

  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md bg-sunken px-3 py-2.5">
      <p className="min-w-0 text-sm">
        {t("payment.nextEvent", {
          reason: reasonWords(t, next.reason),
          time: format.dateTime(next.at),
          others,
        })}
      </p>
      <ExplainedButton
        reason={obstacle}
        isPending={isPending}
        onClick={() => void jump(next.at)}
      >
        <SkipForward aria-hidden className="size-4" />
        {t("payment.jump")}
      </ExplainedButton>
    </div>
  );
}

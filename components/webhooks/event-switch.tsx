"use client";

import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useAction } from "#components/forms/use-action.ts";
import { Switch } from "#components/ui/forms/switch.tsx";
import type { Failure } from "#lib/failure.ts";
import { describeWriteFailure, type WebhookWrite } from "#lib/webhooks/rules.ts";

type Result = { ok: true; value: unknown } | { ok: false; failure: Failure };

interface EventSwitchProps {
  label: string;
  isOn: boolean;
  write: WebhookWrite;
  isAllowed: boolean;
  /** Resolves after the list was read again, so that the switch shows the saved state. */
  onSwitch: (isOn: boolean) => Promise<Result>;
}

/** A failure stays below the switch until the next try. */
export function EventSwitch({ label, isOn, write, isAllowed, onSwitch }: EventSwitchProps) {
  const t = useTranslations();
  const { run, isPending, failure } = useAction(onSwitch);
  const words = failure && describeWriteFailure(t, failure, write);
  return (
    <>
      <Switch
        label={label}
        isOn={isOn}
        isPending={isPending}
        disabled={!isAllowed}
        onSwitch={(on) => void run(on)}
      />
      {words && (
        <p
          role="alert"
          className="flex basis-full items-start gap-1.5 pb-2 text-sm text-danger"
        >
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>
            {words.title} {words.advice}{" "}
            <button
              type="button"
              disabled={isPending}
              onClick={() => void run(!isOn)}
              className="rounded font-medium underline"
            >
              {t("webhooks.row.tryAgain")}
            </button>
          </span>
        </p>
      )}
    </>
  );
}

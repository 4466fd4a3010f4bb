import { useState } from "react";
import {
  FailureNotice,
  useSellerAction,
  type ActionResult,
} from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { CircleAlert, CircleCheck } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { Scope } from "#lib/scope.ts";

interface CheckSettingsProps<Input, Answer> {
  action: (scope: Scope, input: Input) => Promise<ActionResult<Answer>>;
  input: Input;
  label: string;
  /** The label with its object, for screen readers. */
  fullLabel: string;
  /** A text beside the provider's answer. */
  more?: (answer: Answer) => string | null;
}

/** Asks a provider whether it accepts the stored settings, and shows its answer. */
export function CheckSettings<Input, Answer extends { ok: boolean; text: string }>({
  action,
  input,
  label,
  fullLabel,
  more,
}: CheckSettingsProps<Input, Answer>) {
  const { run, isPending, failure } = useSellerAction(action);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const further = answer && more?.(answer);

  async function check() {
    setAnswer(null);
    const done = await run(input);
    if (done) setAnswer(done.value);
  }

  return (
    <>
      <Button aria-label={fullLabel} isPending={isPending} onClick={() => void check()}>
        {label}
      </Button>
      <div role="status" className="order-last basis-full empty:sr-only">
        {failure ? (
          <FailureNotice failure={failure} />
        ) : (
          answer && (
            <Notice
              look={answer.ok ? "info" : "danger"}
              icon={answer.ok ? CircleCheck : CircleAlert}
            >
              <p className="wrap-anywhere">{answer.text}</p>
              {further && <p>{further}</p>}
            </Notice>
          )
        )}
      </div>
    </>
  );
}

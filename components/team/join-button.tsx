"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { FailureNotice, useAction } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { acceptInvitationAction } from "#lib/team/actions.ts";

export function JoinButton({ token, label }: { token: string; label: string }) {
  const router = useRouter();
  const { run, isPending, failure } = useAction(acceptInvitationAction);
  const [isLeaving, setLeaving] = useState(false);

  async function join() {
    const answer = await run({ token });
    if (!answer) return;
    if (answer.value.path === null) return router.refresh();
    setLeaving(true);
    // A full load, so that no data of another seller stays in memory.
    window.location.assign(answer.value.path);
  }

  return (
    <>
      <FailureNotice failure={failure} />
      <Button
        look="primary"
        className="h-9 w-full"
        isPending={isPending || isLeaving}
        onClick={() => void join()}
      >
        {label}
      </Button>
    </>
  );
}

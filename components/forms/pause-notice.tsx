import { useTranslations } from "next-intl";
import { CircleAlert, Hourglass } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { useFormat } from "#components/context/seller-context.tsx";
import type { JobPause } from "#lib/search-index/queries.ts";
import { describeFailure } from "#lib/failure.ts";

interface PauseNoticeProps {
  pause: JobPause | null;
  rateLimited: (wait: string) => string;
  /** The text while another page works on the job. */
  held: string;
  /** The text below the reason for a stop. */
  nothingLost: string;
}

/** Why a job that this page runs step by step waits or stopped. */
export function PauseNotice({ pause, rateLimited, held, nothingLost }: PauseNoticeProps) {
  const t = useTranslations();
  const format = useFormat();
  if (pause?.kind === "wait")
    return (
      <Notice icon={Hourglass} className="mt-3">
        {pause.why === "rate_limited" ? rateLimited(format.wait(pause.seconds)) : held}
      </Notice>
    );
  if (pause?.kind !== "stopped") return null;
  return (
    <Notice look="danger" icon={CircleAlert} role="alert" className="mt-3">
      <p className="font-medium">{describeFailure(t, pause.failure).title}</p>
      <p>{nothingLost}</p>
    </Notice>
  );
}

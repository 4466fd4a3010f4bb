import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { Notice } from "#components/ui/notice.tsx";
import { signInMessage, signInWaitOf } from "./sign-in-message.ts";
import { WaitNotice } from "./wait-notice.tsx";

interface SignInProblemProps {
  problem: string | null;
  onOver: () => void;
}

/** The reason why the last sign-in failed; renders nothing before the first attempt. */
export function SignInProblem({ problem, onOver }: SignInProblemProps) {
  const t = useTranslations("auth");
  const wait = signInWaitOf(problem);
  if (wait !== null) return <WaitNotice key={problem} seconds={wait} onOver={onOver} />;
  if (!problem) return null;
  return (
    <Notice look="danger" icon={CircleAlert} role="alert">
      {signInMessage(t, problem)}
    </Notice>
  );
}

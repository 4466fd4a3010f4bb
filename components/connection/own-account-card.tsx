"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import { ScopedLink, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CircleAlert, Hourglass } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { openAccountAction } from "#lib/connection/actions.ts";
import type { OwnAccount } from "#lib/connection/queries.ts";
import { openingProblemOf, type OpeningProblem } from "#lib/billing/opening-problem.ts";
import { scopePath } from "#lib/scope.ts";

interface OwnAccountCardProps {
  state: Exclude<OwnAccount, "not_offered">;
  /** Why the account could not be opened when the business was created. */
  problem: OpeningProblem | null;
}

/** Opens the seller's account, or says why an opened account is not connected yet. */
export function OwnAccountCard({ state, problem }: OwnAccountCardProps) {
  const t = useTranslations("connection.open");
  const scope = useScope();
  const router = useRouter();
  return (
    <Card className="mb-4 p-4 sm:p-5">
      <CardTitle>{t("title", { mode: scope.mode })}</CardTitle>
      {state === "not_verified" || state === "unanswered" ? (
        <Waiting state={state} />
      ) : (
        <OpenAccount
          problem={problem}
          onDone={(isConnected) => {
            // A full load, because the connection was closed until now.
            if (isConnected) window.location.assign(scopePath(scope));
            else router.refresh();
          }}
        />
      )}
    </Card>
  );
}

interface OpenAccountProps extends Pick<OwnAccountCardProps, "problem"> {
  onDone: (isConnected: boolean) => void;
}

function OpenAccount({ problem, onDone }: OpenAccountProps) {
  const t = useTranslations("connection.open");
  const { mode } = useScope();
  const { run, isPending, failure } = useSellerAction(openAccountAction);
  const setting = mode === "test" ? "BILLING_SANDBOX_ACCOUNTS_TOKEN" : "BILLING_ACCOUNTS_TOKEN";
  const textOf = (word: OpeningProblem) => ({
    title: t("problem.title", { mode }),
    advice: t(`problem.${word}`, { setting }),
  });

  async function open() {
    const result = await run({});
    if (result) onDone(result.value.is_connected);
  }

  const hasOwnWords = failure?.kind === "validation" || failure?.kind === "conflict";
  const before = !failure && problem ? textOf(problem) : null;
  return (
    <>
      <p className="mt-1 mb-4 text-muted">{t("text", { mode })}</p>
      {before && (
        <Notice look="danger" icon={CircleAlert} role="alert" className="mb-4">
          <p className="font-medium">{before.title}</p>
          <p>{before.advice}</p>
        </Notice>
      )}
      <FailureNotice
        failure={failure}
        {...(!hasOwnWords && { describe: (failed) => textOf(openingProblemOf(failed)) })}
      />
      <Button look="primary" isPending={isPending} onClick={() => void open()}>
        {isPending ? t("pending") : t("submit", { mode })}
      </Button>
    </>
  );
}

function Waiting({ state }: { state: "not_verified" | "unanswered" }) {
  const t = useTranslations("connection.open.waiting");
  const tOfVerification = useTranslations("verification");
  const { mode } = useScope();
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  return (
    <>
      <Notice
        look={state === "unanswered" ? "danger" : "warning"}
        icon={state === "unanswered" ? CircleAlert : Hourglass}
        role="status"
        className="my-4"
      >
        <p className="font-medium">{t("title")}</p>
        <p>{t(state === "unanswered" ? "unanswered" : "text", { mode })}</p>
      </Notice>
      <div className="flex flex-wrap gap-2">
        {state === "not_verified" && (
          <ScopedLink href="/settings/verification" className={buttonClass("primary")}>
            {tOfVerification("open")}
          </ScopedLink>
        )}
        <Button isPending={isPending} onClick={() => startTransition(() => router.refresh())}>
          {t("check")}
        </Button>
      </div>
    </>
  );
}

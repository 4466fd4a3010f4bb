"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { GatePanel } from "#components/forms/failure-panel.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CircleCheck, CircleX, ShieldAlert } from "#components/ui/icons.tsx";
import { type ConnectionDetails, connectionKey } from "#lib/connection/queries.ts";
import {
  disconnectAction,
  type KeyCheckReport,
  testConnectionAction,
} from "#lib/connection/actions.ts";
import {
  FailureNotice,
  fieldText,
  useScopedAction,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { FactRow } from "#components/ui/detail-row.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { Moment } from "#components/values/day.tsx";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import type { OpeningProblem } from "#lib/billing/opening-problem.ts";
import type { ConnectionState } from "#lib/connection/rules.ts";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { ConnectForm, FindingNotice } from "./connect-form.tsx";
import { OwnAccountCard } from "./own-account-card.tsx";

interface ConnectionSettingsProps {
  details: ConnectionDetails;
  /** Why the account could not be opened when the business was created. */
  openingProblem: OpeningProblem | null;
}

export function ConnectionSettings({ details, openingProblem }: ConnectionSettingsProps) {
  const t = useTranslations("connection");
  const { mode } = useScope();
  const [tried, setTried] = useState<KeyCheckReport | null>(null);
  const refresh = useRefresh();
  const report = (result: KeyCheckReport | null) => {
    setTried(result);
    refresh();
  };

  if (details.state === "mode_absent") return <GatePanel state="mode_absent" />;
  return (
    <div className="max-w-2xl">
      {tried && <FindingNotice tried={tried} />}
      {details.last4 === null && details.own_account !== "not_offered" && (
        <OwnAccountCard state={details.own_account} problem={openingProblem} />
      )}
      <Card className="p-4 sm:p-5">
        <CardTitle>{t("heading", { mode })}</CardTitle>
        <p className="mt-1 mb-4 text-muted">
          {details.last4 === null && details.own_account !== "not_offered" && (
            <>{t("open.other")} </>
          )}
          {details.last4 !== null && details.own_account === "opened"
            ? t("open.own")
            : t("text", { mode })}
        </p>
        {details.last4 === null ? (
          <ConnectForm onTried={report} />
        ) : (
          <StoredKey details={details} onTried={report} />
        )}
      </Card>
    </div>
  );
}

/** Drops all cached data, because another key may belong to another account. */
function useRefresh() {
  const scope = useScope();
  const router = useRouter();
  const queryClient = useQueryClient();
  return () => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[1] !== "connection" });
    void queryClient.invalidateQueries({ queryKey: connectionKey(scope) });
    router.refresh();
  };
}

interface StoredKeyProps {
  details: ConnectionDetails;
  onTried: (tried: KeyCheckReport | null) => void;
}

function StoredKey({ details, onTried }: StoredKeyProps) {
  const t = useTranslations("connection");
  const { mode } = useScope();
  const { run, isPending, failure } = useSellerAction(testConnectionAction);
  const disconnect = useScopedAction(disconnectAction);
  const [isReplacing, setReplacing] = useState(false);

  async function test() {
    const result = await run({});
    if (result) onTried(result.value);
  }

  return (
    <>
      <FailureNotice failure={failure} />
      <KeyFacts details={details} />
      <div className="mt-5 flex flex-wrap gap-2">
        {details.state !== "undecryptable" && (
          <Button isPending={isPending} onClick={() => void test()}>
            {t("test")}
          </Button>
        )}
        <Button onClick={() => setReplacing(true)}>{t("replace.label")}</Button>
        <ActionButton
          noValidate
          button={{ className: "text-danger" }}
          title={t("disconnect.title", { mode })}
          label={t("disconnect.label")}
          look="danger"
          action={disconnect}
          read={(form) => ({ current_password: fieldText(form, "current_password") })}
          onDone={(_value, close) => {
            close();
            onTried(null);
          }}
        >
          {(error) => (
            <>
              <p>{t("disconnect.text", { mode })}</p>
              <ul className="list-disc space-y-1 pl-5 text-muted">
                <li>{t("disconnect.reads")}</li>
                <li>{t("disconnect.writes")}</li>
              </ul>
              <p>{t("disconnect.goesOn")}</p>
              <CurrentPassword
                hasPassword={details.has_password}
                error={error("current_password")}
              />
            </>
          )}
        </ActionButton>
      </div>
      <Dialog
        keepsWords
        title={t("replace.title")}
        isOpen={isReplacing}
        onClose={() => setReplacing(false)}
      >
        <p className="mb-4 text-muted">{t("replace.text")}</p>
        <ConnectForm
          replaces={{ hasPassword: details.has_password }}
          onTried={(tried) => {
            setReplacing(false);
            onTried(tried);
          }}
        />
      </Dialog>
    </>
  );
}

const REFUSED = { icon: CircleX, tone: "danger" } as const;
const LOOKS = {
  good: { icon: CircleCheck, tone: "active" },
  unverified: {
    icon: ShieldAlert,
    tone: "warning",
  },
  refused: REFUSED,
  undecryptable: REFUSED,
} satisfies Partial<Record<ConnectionState, BadgeLook>>;

const hasLook = (state: ConnectionState): state is keyof typeof LOOKS => state in LOOKS;

function KeyFacts({ details }: { details: ConnectionDetails }) {
  const t = useTranslations("connection");
  const { state, last4, set_at, set_by, last_success_at, last_refusal_at, host } = details;
  return (
    <dl className="divide-y border-y">
      <FactRow label={t("facts.key")}>
        <span aria-hidden className="text-faint">
          ••••
        </span>
        {t.rich("facts.endsIn", {
          digits: last4 ?? "",
          label: (text) => <span className="sr-only">{text}</span>,
          last: (text) => <span className="font-mono">{text}</span>,
        })}
      </FactRow>
      <FactRow label={t("facts.state")}>
        {hasLook(state) && <Badge {...LOOKS[state]}>{t(`states.${state}`)}</Badge>}
      </FactRow>
      <FactRow label={t("facts.set")}>
        {t.rich(set_by ? "facts.setBy" : "facts.setHere", {
          name: set_by ?? "",
          moment: () => <MomentOrNone iso={set_at} />,
        })}
      </FactRow>
      <FactRow label={t("facts.lastSuccess")}>
        <MomentOrNone iso={last_success_at} />
      </FactRow>
      <FactRow label={t("facts.lastRefusal")}>
        <MomentOrNone iso={last_refusal_at} />
      </FactRow>
      <FactRow label={t("facts.host")}>{host}</FactRow>
    </dl>
  );
}

function MomentOrNone({ iso }: { iso: string | null }) {
  const t = useTranslations("connection.facts");
  return iso ? <Moment iso={iso} /> : <span className="text-muted">{t("never")}</span>;
}

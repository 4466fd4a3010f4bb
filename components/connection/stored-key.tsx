"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CircleCheck, CircleX, ShieldAlert } from "lucide-react";
import {
  FailureNotice,
  fieldText,
  useActionForm,
  useScopedAction,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { FactRow } from "#components/ui/detail-row.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import {
  disconnectAction,
  type KeyCheckReport,
  testConnectionAction,
} from "#lib/connection/actions.ts";
import type { ConnectionDetails } from "#lib/connection/queries.ts";
import { Moment } from "#components/values/day.tsx";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import type { ConnectionState } from "#lib/connection/rules.ts";
import { useScope } from "#components/context/seller-context.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { ConnectForm } from "./connect-form.tsx";

interface StoredKeyProps {
  details: ConnectionDetails;
  onTried: (tried: KeyCheckReport | null) => void;
}

export function StoredKey({ details, onTried }: StoredKeyProps) {
  const t = useTranslations("connection");
  const { run, isPending, failure } = useSellerAction(testConnectionAction);
  const [open, setOpen] = useState<"replace" | "disconnect" | null>(null);
  const close = () => setOpen(null);

  function finish(tried: KeyCheckReport | null) {
    close();
    onTried(tried);
  }

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
        <Button onClick={() => setOpen("replace")}>{t("replace.label")}</Button>
        <Button className="text-danger" onClick={() => setOpen("disconnect")}>
          {t("disconnect.label")}
        </Button>
      </div>
      <Dialog keepsWords title={t("replace.title")} isOpen={open === "replace"} onClose={close}>
        <p className="mb-4 text-muted">{t("replace.text")}</p>
        <ConnectForm replaces={{ hasPassword: details.has_password }} onTried={finish} />
      </Dialog>
      <DisconnectDialog
        hasPassword={details.has_password}
        isOpen={open === "disconnect"}
        onClose={close}
        onDisconnected={() => finish(null)}
      />
    </>
  );
}

const REFUSED = { icon: CircleX, className: "bg-danger-soft text-danger" };
const LOOKS = {
  good: { icon: CircleCheck, className: "bg-active-soft text-active" },
  unverified: {
    icon: ShieldAlert,
    className: "bg-warning-soft text-warning",
  },
  refused: REFUSED,
  undecryptable: REFUSED,
} satisfies Partial<Record<ConnectionState, BadgeLook>>;

const hasLook = (state: ConnectionState): state is keyof typeof LOOKS => state in LOOKS;

/** The stored key's facts, never the key itself. */
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

interface DisconnectDialogProps {
  hasPassword: boolean;
  isOpen: boolean;
  onClose: () => void;
  onDisconnected: () => void;
}

function DisconnectDialog({ isOpen, onClose, ...props }: DisconnectDialogProps) {
  const t = useTranslations("connection.disconnect");
  const { mode } = useScope();
  return (
    <Dialog title={t("title", { mode })} isOpen={isOpen} onClose={onClose}>
      <DisconnectForm onClose={onClose} {...props} />
    </Dialog>
  );
}

function DisconnectForm({
  hasPassword,
  onClose,
  onDisconnected,
}: Omit<DisconnectDialogProps, "isOpen">) {
  const t = useTranslations("connection.disconnect");
  const { mode } = useScope();
  const { form, isPending, failure, error } = useActionForm(useScopedAction(disconnectAction), {
    read: (fields) => ({ current_password: fieldText(fields, "current_password") }),
    onDone: onDisconnected,
  });
  const wrongPassword = error("current_password");

  return (
    <form {...form} noValidate>
      {!wrongPassword && <FailureNotice failure={failure} />}
      <p>{t("text", { mode })}</p>
      <ul className="my-3 list-disc space-y-1 pl-5 text-muted">
        <li>{t("reads")}</li>
        <li>{t("writes")}</li>
      </ul>
      <p className="mb-4">{t("goesOn")}</p>
      <div className="mb-5">
        <CurrentPassword hasPassword={hasPassword} error={wrongPassword} />
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t("keep")}</Button>
        <Button type="submit" look="danger" isPending={isPending}>
          {t("label")}
        </Button>
      </div>
    </form>
  );
}

import { Construction, KeyRound, ShieldCheck, type LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { scopePath } from "#lib/scope.ts";
import { describeState, type ShutState } from "#lib/connection/rules.ts";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { usePermission, useScope } from "#components/context/seller-context.tsx";

const ICONS: Record<ShutState, LucideIcon> = {
  none: KeyRound,
  unverified: ShieldCheck,
  refused: KeyRound,
  undecryptable: KeyRound,
  mode_absent: Construction,
};

const WAYS_OUT = {
  none: "connect",
  unverified: "see",
  // The banner above shows it.
  refused: null,
  undecryptable: "reconnect",
  mode_absent: null,
} as const satisfies Record<ShutState, string | null>;

/** Replaces content that needs a working connection. */
export function GatePanel({ state }: { state: ShutState }) {
  const t = useTranslations("layout");
  const { mode } = useScope();
  const mayConnect = usePermission("connection:write");
  const { title, advice } = describeState(t, state, mode);
  const wayOut = WAYS_OUT[state];
  if (state === "mode_absent") return <AbsentMode />;
  return (
    <StatePanel
      role="status"
      icon={ICONS[state]}
      title={title}
      text={
        <>
          {advice}
          {wayOut && !mayConnect && ` ${t("gate.ask")}`}
        </>
      }
      action={
        wayOut &&
        mayConnect && (
          <ScopedLink href="/settings/connection" className={buttonClass("primary")}>
            {t(`gate.${wayOut}`)}
          </ScopedLink>
        )
      }
    />
  );
}

function AbsentMode() {
  const t = useTranslations("layout");
  const scope = useScope();
  const other = scope.mode === "test" ? "live" : "test";
  const { title, advice } = describeState(t, "mode_absent", scope.mode);
  return (
    <StatePanel
      role="status"
      icon={ICONS.mode_absent}
      title={title}
      text={advice}
      action={
        <Link href={scopePath({ ...scope, mode: other })} className={buttonClass()}>
          {t("gate.otherMode", { mode: other })}
        </Link>
      }
    />
  );
}

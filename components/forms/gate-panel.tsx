import { useTranslations } from "next-intl";
import Link from "next/link";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Construction, type IconType, KeyRound, ShieldCheck } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { describeState, type FaultyConnectionState } from "#lib/connection/rules.ts";
import { scopePath } from "#lib/scope.ts";

const GATES = {
  none: { icon: KeyRound, wayOut: "connect" },
  unverified: { icon: ShieldCheck, wayOut: "see" },
  // No link here: the banner above the page has it.
  refused: { icon: KeyRound, wayOut: null },
  undecryptable: { icon: KeyRound, wayOut: "reconnect" },
  mode_absent: { icon: Construction, wayOut: null },
} as const satisfies Record<FaultyConnectionState, { icon: IconType; wayOut: string | null }>;

/** Replaces content that needs a working connection. */
export function GateContent({ state }: { state: FaultyConnectionState }) {
  const t = useTranslations("layout");
  const scope = useScope();
  const mayConnect = usePermission("connection:write");
  const { title, advice } = describeState(t, state, scope.mode);
  const { icon, wayOut } = GATES[state];
  const other = scope.mode === "test" ? "live" : "test";
  return (
    <StatePanel
      role="status"
      icon={icon}
      title={title}
      text={wayOut && !mayConnect ? `${advice} ${t("gate.ask")}` : advice}
      action={
        state === "mode_absent" ? (
          <Link
            prefetch={false}
            href={scopePath({ ...scope, mode: other })}
            className={buttonClass()}
          >
            {t("gate.otherMode", { mode: other })}
          </Link>
        ) : (
          wayOut &&
          mayConnect && (
            <ScopedLink href="/settings/connection" className={buttonClass("primary")}>
              {t(`gate.${wayOut}`)}
            </ScopedLink>
          )
        )
      }
    />
  );
}

import { FlaskConical, FlaskConicalOff } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { sandboxPath } from "#lib/sandbox/search.ts";

/** Explains the sandbox in live mode, and for a service without one. */
export function NoSandbox() {
  const t = useTranslations("sandbox.none");
  const scope = useScope();
  if (scope.mode === "live")
    return (
      <StatePanel
        icon={FlaskConical}
        title={t("live.title")}
        text={t("live.text")}
        action={
          <Link
            href={sandboxPath({ ...scope, mode: "test" })}
            className={buttonClass("primary")}
          >
            {t("live.open")}
          </Link>
        }
      />
    );
  return (
    <StatePanel
      icon={FlaskConicalOff}
      title={t("test.title")}
      text={t("test.text")}
      action={
        <ScopedLink href="/subscriptions" className={buttonClass()}>
          {t("test.open")}
        </ScopedLink>
      }
    />
  );
}

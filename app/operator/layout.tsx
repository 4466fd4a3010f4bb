import { useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { Logo } from "#components/shell/navigation/logo.tsx";

export default function OperatorLayout({ children }: { children: ReactNode }) {
  const t = useTranslations("operator");
  return (
    <ClientMessages of="operator">
      <header className="border-b bg-surface">
        <div className="mx-auto flex max-w-4xl flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
          <Logo />
          <Link prefetch={false} href="/operator" className="font-medium">
            {t("title")}
          </Link>
          <Link prefetch={false} href="/" className="ml-auto text-sm text-muted hover:text-ink">
            {t("back")}
          </Link>
        </div>
      </header>
      <main className="mx-auto max-w-4xl px-4 py-6">{children}</main>
    </ClientMessages>
  );
}

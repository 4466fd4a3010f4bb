"use client";

import { useTranslations } from "next-intl";
import { Logo } from "#components/shell/navigation/logo.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import type { IconType } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { cn } from "#lib/cn.ts";

/**
 * The content of not-found pages. A client component, because Next.js sends what it renders with every
 * page, once for each layout. It draws its icon itself for the same reason as ErrorPanel.
 */
export function NotFoundPanel() {
  const t = useTranslations("layout.notFound");
  return (
    <>
      <h1 className="sr-only">{t("heading")}</h1>
      <StatePanel
        icon={FileQuestion}
        title={t("title")}
        text={t("text")}
        action={
          // oxlint-disable-next-line nextjs/no-html-link-for-pages -- every page would load Link's code for this
          <a href="/" className={buttonClass()}>
            {t("start")}
          </a>
        }
      />
    </>
  );
}

/** The not-found page outside of the dashboard. */
export function NotFoundPage() {
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 py-12">
      <Logo />
      <div className="my-auto">
        <NotFoundPanel />
      </div>
    </main>
  );
}

/** Lucide's FileQuestion. */
const FileQuestion: IconType = ({ className }) => (
  <svg aria-hidden viewBox="0 0 24 24" className={cn("icon", className)}>
    <path d="M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z" />
    <path d="M9 9.5a3 2.5 0 016 0c0 2-2 2-3 3.5" />
    <path d="M12 17h.01" />
  </svg>
);

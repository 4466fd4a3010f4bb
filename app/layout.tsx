import "./globals.css";
import type { Metadata, Viewport } from "next";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { fontClass } from "#components/shell/fonts.ts";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { Toaster } from "#components/ui/overlays/toaster.tsx";
import { nonceOf, POLICY_HEADER } from "#lib/auth/content-policy.ts";
import { isTraced } from "#lib/env.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("layout");
  return {
    title: { default: "Duebook", template: "%s · Duebook" },
    description: t("description"),
    robots: { index: false, follow: false },
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f8f8fa" },
    { media: "(prefers-color-scheme: dark)", color: "#0f1014" },
  ],
};

/**
 * A browser's first number or date costs a phone four frames: they pass before the first paint, which
 * waits for the style sheet all the same, and not in a task that comes after it.
 */
const WARM_UP =
  'new Intl.NumberFormat("en");new Intl.DateTimeFormat("en");new Intl.Segmenter()';

/** Where all stands that the first answer of the server brings. */
const PAGE_END = "page-end";

export default async function RootLayout({ children }: { children: ReactNode }) {
  // A page made at build time could not carry the nonce of its answer: all of them wait for a request.
  const nonce = nonceOf((await headers()).get(POLICY_HEADER));
  return (
    <html lang={await getLocale()} className={fontClass} data-traced={isTraced() || undefined}>
      {/* A picture of half a page would move as soon as the other half has been read. */}
      <link rel="expect" href={`#${PAGE_END}`} blocking="render" />
      <body className="font-sans text-base antialiased">
        {/* The browser hides the nonce from scripts, so React finds another one. */}
        <script
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: WARM_UP }}
        />
        <NextIntlClientProvider messages={{}}>
          <ClientMessages of={["ui", "layout", "failures", "fields", "format"]}>
            {children}
            <Toaster />
          </ClientMessages>
        </NextIntlClientProvider>
        <span id={PAGE_END} hidden />
      </body>
    </html>
  );
}

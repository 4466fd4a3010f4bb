import "./globals.css";
import type { Metadata, Viewport } from "next";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { fontClass } from "#components/layout/fonts.ts";
import { Words } from "#components/layout/words.tsx";
import { Toaster } from "#components/ui/toaster.tsx";

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

/** Where all stands that the first answer of the server brings. */
const PAGE_END = "page-end";

export default async function RootLayout({ children }: { children: ReactNode }) {
  // A page made at build time could not carry the nonce of its answer: all of them wait for a request.
  await connection();
  return (
    <html lang={await getLocale()} className={fontClass}>
      {/* A picture of half a page would move as soon as the other half has been read. */}
      <link rel="expect" href={`#${PAGE_END}`} blocking="render" />
      <body className="font-sans text-base antialiased">
        <NextIntlClientProvider messages={{}}>
          <Words of={["ui", "layout", "failures", "fields", "format"]}>
            {children}
            <Toaster />
          </Words>
        </NextIntlClientProvider>
        <span id={PAGE_END} hidden />
      </body>
    </html>
  );
}

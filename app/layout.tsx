import type { Metadata, Viewport } from "next";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import localFont from "next/font/local";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { Toaster } from "#components/ui/overlays/toast.tsx";
import { nonceOf, POLICY_HEADER } from "#lib/auth/content-policy.ts";
import { isTraced } from "#lib/env.ts";
import "./globals.css";

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

/** The id of the element that follows the page's content. */
const PAGE_END = "page-end";

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Reading headers makes every page dynamic: a page rendered at build time could not contain the nonce.
  const nonce = nonceOf((await headers()).get(POLICY_HEADER));
  return (
    // START (scripts/server/page-start.ts) may add a class.
    <html
      lang={await getLocale()}
      className={fontClass}
      data-font={FONT}
      data-traced={isTraced() || undefined}
      suppressHydrationWarning
    >
      <head>
        {/* Browsers hide the nonce from scripts, so hydration sees another value. */}
        <style
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: UNTIL_STYLED }}
        />
      </head>
      {/* Delays the first paint until the whole page is parsed, so that nothing shifts. */}
      <link rel="expect" href={`#${PAGE_END}`} blocking="render" />
      <body className="font-sans text-base antialiased">
        <NextIntlClientProvider messages={{}}>
          <ClientMessages of="root">
            {children}
            <Toaster />
          </ClientMessages>
        </NextIntlClientProvider>
        <span id={PAGE_END} hidden />
      </body>
    </html>
  );
}

/**
 * Inter is used if it is loaded at first paint; otherwise Arial in Inter's metrics (globals.css) stays,
 * because a late font would shift the text. So START fetches Inter after the first page, for the following
 * ones. Record 0161 tells how the files of app/fonts were made.
 */
const latin = localFont({
  src: "./fonts/inter-latin.woff2",
  variable: "--font-latin",
  weight: "400 600",
  display: "optional",
  // Not preloaded, because the first page would wait for the font without using it.
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+0020-00FF,U+0131,U+0152-0153,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2002-200D,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+202F,U+2030,U+2032-2033,U+2039-203A,U+20AC,U+2122,U+2190-2193,U+2212,U+2215",
    },
  ],
});

/** Loaded only for pages with letters of these ranges, such as IAST; so is the following font. */
const latinExtended = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2",
  variable: "--font-latin-extended",
  weight: "100 900",
  display: "optional",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20A7,U+20A9-20AB,U+20AD-20B8,U+20BA-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
    },
  ],
});

/** The Devanagari font for systems without those that tailwind.config.ts names first. */
const devanagari = localFont({
  src: "./fonts/noto-sans-devanagari.woff2",
  variable: "--font-devanagari",
  weight: "400 600",
  display: "optional",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value: "U+0900-097F,U+200C-200D,U+20B9,U+25CC",
    },
  ],
});

/** Fonts that a browser fetches only for pages that have their letters; START adds Inter. */
const fontClass = [latinExtended, devanagari].map((font) => font.variable).join(" ");

/** Given to START: the class of Inter and the family that it fetches. */
const FONT = `${latin.variable} ${latin.style.fontFamily}`;

/**
 * Hides the body until the style sheet shows it. Otherwise the browser would lay out the whole page without
 * styles if its tab gets the focus before that, which takes 75 to 130 ms. START shows the body if the
 * style sheet fails to load.
 */
const UNTIL_STYLED = "@media(scripting:enabled){body{display:none}}";

"use client";

import "./globals.css";
import { buttonClass } from "#components/ui/button-class.ts";

/**
 * When the layout itself failed. Kept bare, since every page carries it along; and in both languages,
 * since whose page it is was not found out.
 */
export default function GlobalError({ retry }: { retry: () => void }) {
  return (
    <html lang="en">
      <body className="font-sans text-base">
        <title>Something failed · Duebook</title>
        <main role="alert" className="px-6 py-24 text-center">
          <h1 className="text-lg font-semibold">Something failed on our side</h1>
          <p className="mt-1 mb-5 text-muted">The dashboard could not be shown.</p>
          <div lang="ne">
            <h2 className="text-lg font-semibold">हाम्रोतर्फ केही बिग्रियो</h2>
            <p className="mt-1 mb-5 text-muted">ड्यासबोर्ड देखाउन सकिएन।</p>
          </div>
          <button type="button" onClick={retry} className={buttonClass()}>
            Try again · <span lang="ne">फेरि प्रयास गर्नुहोस्</span>
          </button>
        </main>
      </body>
    </html>
  );
}

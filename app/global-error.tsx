"use client";

import "./globals.css";
import { buttonClass } from "#components/ui/button-class.ts";

interface GlobalErrorProps {
  error: Error & { digest?: string };
  retry: () => void;
}

/**
 * Shown if the root layout fails. It is small, because every page loads it, and in both languages, because
 * the person's language is unknown.
 */
export default function GlobalError({ error, retry }: GlobalErrorProps) {
  return (
    <html lang="en">
      <body className="font-sans text-base">
        <title>Something went wrong · Duebook</title>
        <main role="alert" className="px-6 py-24 text-center">
          <h1 className="text-lg font-semibold">Something went wrong on our side</h1>
          <p className="mt-1 mb-5 text-muted">The dashboard could not be shown.</p>
          <div lang="ne">
            <h2 className="text-lg font-semibold">हाम्रोतर्फ केही बिग्रियो</h2>
            <p className="mt-1 mb-5 text-muted">ड्यासबोर्ड देखाउन सकिएन।</p>
          </div>
          {error.digest && (
            <p className="mb-5 text-sm text-muted">
              Reference · <span lang="ne">सन्दर्भ</span>: <code>{error.digest}</code>
            </p>
          )}
          <button type="button" onClick={retry} className={buttonClass()}>
            Try again · <span lang="ne">फेरि प्रयास गर्नुहोस्</span>
          </button>
        </main>
      </body>
    </html>
  );
}

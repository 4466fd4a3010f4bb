"use client";

import "./globals.css";
import { buttonClass } from "#components/ui/button.tsx";

/** When the layout itself failed. Kept bare: every page carries it along. */
export default function GlobalError({ retry }: { retry: () => void }) {
  return (
    <html lang="en">
      <body className="font-sans text-base">
        <title>Something failed · Duebook</title>
        <main role="alert" className="px-6 py-24 text-center">
          <h1 className="text-lg font-semibold">Something failed on our side</h1>
          <p className="mt-1 mb-5 text-muted">The dashboard could not be shown.</p>
          <button type="button" onClick={retry} className={buttonClass()}>
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}

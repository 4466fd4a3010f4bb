"use client";

import "./globals.css";
import RootError from "./error.tsx";

export default function GlobalError({ retry }: { retry: () => void }) {
  return (
    <html lang="en">
      <body className="font-sans text-base">
        <RootError retry={retry} />
      </body>
    </html>
  );
}

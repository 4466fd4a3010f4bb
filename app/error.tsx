"use client";

import { TriangleAlert } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";

export default function RootError({ retry }: { retry: () => void }) {
  return (
    <main>
      <title>Something failed · Duebook</title>
      <h1 className="sr-only">Something failed</h1>
      <StatePanel
        role="alert"
        icon={TriangleAlert}
        title="Something failed on our side"
        text="The dashboard could not finish this page. Nothing you saved is lost."
        action={<Button onClick={retry}>Try again</Button>}
      />
    </main>
  );
}

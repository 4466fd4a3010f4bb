"use client";

import { TriangleAlert } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";

export default function DashboardError({ retry }: { retry: () => void }) {
  return (
    <>
      <h1 className="sr-only">Something failed</h1>
      <StatePanel
        role="alert"
        icon={TriangleAlert}
        title="Something failed on our side"
        text="This page could not be finished. Nothing you saved is lost."
        action={<Button onClick={retry}>Try again</Button>}
      />
    </>
  );
}

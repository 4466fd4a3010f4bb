import { FileQuestion } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { buttonClass } from "#components/ui/button.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main>
      <h1 className="sr-only">Not found</h1>
      <StatePanel
        icon={FileQuestion}
        title="This page does not exist"
        text="The address may be incomplete, or your role does not include the page."
        action={
          <Link href="/subscriptions" className={buttonClass()}>
            Go to subscriptions
          </Link>
        }
      />
    </main>
  );
}

import { FileQuestion } from "lucide-react";
import Link from "next/link";
import { buttonClass } from "#components/ui/button.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";

/** For an address that leads nowhere, with and without the desk around it. */
export function NotFoundPanel() {
  return (
    <>
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
    </>
  );
}

import { CircleAlert } from "lucide-react";
import { Notice } from "#components/ui/notice.tsx";
import type { Words } from "#lib/failure.ts";

export function WriteFailure({ title, advice }: Words) {
  return (
    <Notice look="danger" icon={CircleAlert} role="alert">
      <p className="font-medium">{title}</p>
      <p>{advice}</p>
    </Notice>
  );
}

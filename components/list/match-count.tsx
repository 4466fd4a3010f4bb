import { SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { StatePanel } from "#components/ui/notice.tsx";
import type { ListAnswer } from "#lib/list-answer.ts";
import { IndexFreshness } from "./index-notice.tsx";

/** Namespaces with the texts of a search. */
type Found = "customers.found" | "products.found" | "finding.found";

interface MatchCountProps {
  namespace: Found;
  list: ListAnswer<unknown> | undefined;
}

/** How many rows match, and how old the index's rows are. As high while that is not known yet. */
export function MatchCount({ namespace, list }: MatchCountProps) {
  const t = useTranslations(namespace);
  return (
    <p role="status" className="mb-2 min-h-5 text-sm text-muted tabular-nums">
      {list?.source.kind === "index" && (
        <>
          {list.is_near
            ? t("near")
            : t(list.is_capped ? "more" : "count", { count: list.count ?? 0 })}{" "}
          <IndexFreshness found={list.source} />
        </>
      )}
    </p>
  );
}

interface NoMatchProps {
  namespace: Found;
  list: ListAnswer<unknown>;
  /** Shows the whole list again. */
  action: ReactNode;
}

/** A search without results. */
export function NoMatch({ namespace, list, action }: NoMatchProps) {
  const t = useTranslations(namespace);
  return (
    <StatePanel
      role="status"
      icon={SearchX}
      title={t("noneTitle")}
      text={
        <>
          {t("noneText")} <IndexFreshness found={list.source} />
        </>
      }
      action={action}
    />
  );
}

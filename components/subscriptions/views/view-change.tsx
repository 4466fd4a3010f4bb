import { BookmarkX, Info } from "lucide-react";
import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useDebounced } from "#components/list/filters/use-words.ts";
import { usePermission } from "#components/context/seller-context.tsx";
import { useListView } from "#components/list/use-list-view.ts";
import { ViewLink } from "#components/list/view-link.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import {
  isSupportedByApi,
  parseSubscriptionSearch,
  type SubscriptionSearch,
} from "#lib/subscriptions/search.ts";
import { viewAt, type Asked, type View } from "#lib/subscriptions/views/rules.ts";
import { useAskedList } from "#components/subscriptions/list/use-asked-list.ts";
import { useViewChanges } from "./use-view-changes.ts";
import { ViewSave } from "./view-save.tsx";

/** Once a view was opened and then narrowed or sorted otherwise: what becomes of it. */
export function ViewChange({ search }: { search: SubscriptionSearch }) {
  const t = useTranslations("views");
  const id = viewAt(useSearchParams());
  const view = useListView();
  const { views, current, opened, asked } = view;
  const now = `${asked.query} ${asked.words}`;
  // While the words of another view are on their way, the list is neither.
  const isAtRest = useDebounced(now) === now;
  if (id !== null && !views.some((one) => one.id === id))
    return (
      <Notice icon={BookmarkX} role="status" className="mb-4">
        {t("missing")}
      </Notice>
    );
  if (!isAtRest || current || !opened) return null;
  return <Changed {...{ search, opened }} line={[view.line, view.setLine]} />;
}

interface ChangedProps {
  search: SubscriptionSearch;
  opened: View;
  line: Parameters<typeof useAskedList>[1];
}

function Changed({ search, opened, line }: ChangedProps) {
  const t = useTranslations("views");
  const { asked, settle } = useAskedList(search, line);
  const mayShare = usePermission("views:share");
  const { update } = useViewChanges();
  const [isSaving, setSaving] = useState(false);
  if (!isChange(opened, asked)) return null;
  return (
    <div
      role="group"
      aria-label={t("changed", { name: opened.name })}
      className="mb-4 flex flex-wrap items-center gap-2 text-sm text-muted"
    >
      <p className="mr-auto flex min-w-0 items-start gap-2">
        <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 break-words">{t("changed", { name: opened.name })}</span>
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {(mayShare || !opened.is_shared) && (
          <Button
            onClick={() => {
              settle();
              void update(opened, asked);
            }}
          >
            {t("updateNow")}
          </Button>
        )}
        <Button onClick={() => setSaving(true)}>{t("saveNew")}</Button>
        <ViewLink view={opened} className={buttonClass("quiet")}>
          {t("openAgain")}
        </ViewLink>
      </div>
      <ViewSave search={search} isOpen={isSaving} onClose={() => setSaving(false)} />
    </div>
  );
}

const isPlainStatus = ({ query, words }: Asked) =>
  words === "" && isSupportedByApi(parseSubscriptionSearch(new URLSearchParams(query)));

/** To look somebody up in a view, or to go on to another status, is not to change it. */
function isChange(opened: View, asked: Asked): boolean {
  if (isPlainStatus(asked) && (asked.query === "" || isPlainStatus(opened))) return false;
  return asked.query !== opened.query || opened.words !== "";
}

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useScope } from "#components/context/seller-context.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { UNANSWERED_RESULT } from "#components/forms/use-action.tsx";
import { type Failure, describeFailure } from "#lib/failure.ts";
import {
  arrangeViewsAction,
  removeViewAction,
  saveViewAction,
  shareViewAction,
  updateViewAction,
} from "#lib/subscriptions/views/actions.ts";
import { viewCountsQuery, viewsQuery } from "#lib/subscriptions/views/queries.ts";
import type { ViewSearch, View } from "#lib/subscriptions/views/rules.ts";
import { pushUrl } from "#components/list/links.tsx";
import { searchOfLine } from "#lib/subscriptions/query-line.ts";
import {
  type SubscriptionSearch,
  subscriptionsPath,
  wholeQueryString,
} from "#lib/subscriptions/search.ts";

type Result = { ok: true } | { ok: false; failure: Failure };

export function useRefetchViews(): () => Promise<unknown> {
  const client = useQueryClient();
  const scope = useScope();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: viewsQuery(scope).queryKey }),
      client.invalidateQueries({ queryKey: viewCountsQuery(scope).queryKey }),
    ]);
}

/** The actions on views. Toasts report failures, and each success except a new order. */
export function useViewChanges() {
  const t = useTranslations("views");
  const tAll = useTranslations();
  const client = useQueryClient();
  const scope = useScope();
  const renew = useRefetchViews();

  /** @returns whether it succeeded; a failure is shown in a toast */
  async function attempt(done: Promise<Result>): Promise<boolean> {
    const result = await done.catch(() => UNANSWERED_RESULT);
    await renew();
    if (!result.ok) {
      const { title, advice } = describeFailure(tAll, result.failure, "write");
      showToast({ text: `${title} ${advice}`, isFailure: true });
    }
    return result.ok;
  }

  const viewsNow = () => client.getQueryData(viewsQuery(scope).queryKey) ?? [];

  const idsBeside = ({ is_shared }: View) =>
    viewsNow()
      .filter((view) => view.is_shared === is_shared)
      .map(({ id }) => id);

  async function update(view: View, { query, words }: ViewSearch) {
    const { id, name } = view;
    if (!(await attempt(updateViewAction(scope, { id, query, words })))) return;
    const before = { id, query: view.query, words: view.words };
    showToast({
      text: t("updated", { name }),
      onUndo: () => void attempt(updateViewAction(scope, before)),
    });
  }

  async function remove(view: View) {
    const ids = idsBeside(view);
    if (!(await attempt(removeViewAction(scope, { id: view.id })))) return;
    showToast({
      text: t("removed", { name: view.name }),
      onUndo: () => void putBack(view, ids),
    });
  }

  async function putBack({ id, name, query, words, is_shared }: View, ids: string[]) {
    const saved = saveViewAction(scope, { id, name, query, words, is_shared });
    if (await attempt(saved)) await attempt(arrangeViewsAction(scope, { ids }));
  }

  async function share(view: View, is_shared: boolean) {
    const { id, name } = view;
    if (!(await attempt(shareViewAction(scope, { id, is_shared })))) return;
    showToast({
      text: t(is_shared ? "isShared" : "isOwn", { name }),
      onUndo: () => void attempt(shareViewAction(scope, { id, is_shared: !is_shared })),
    });
  }

  /** @param group all own or all shared views, in the new order */
  function arrange(group: readonly View[]) {
    const others = viewsNow().filter(({ id }) => !group.some((view) => view.id === id));
    const all = [...group, ...others].toSorted(
      (one, other) => Number(one.is_shared) - Number(other.is_shared),
    );
    // An older response would restore the old order for a moment.
    void client.cancelQueries({ queryKey: viewsQuery(scope).queryKey });
    client.setQueryData(viewsQuery(scope).queryKey, all);
    void attempt(arrangeViewsAction(scope, { ids: group.map(({ id }) => id) }));
  }

  return { update, remove, share, arrange };
}

interface ViewSearchState {
  search: SubscriptionSearch;
  asked: ViewSearch;
  /** Converts the line's terms to filters, as in the saved view. */
  settle: () => void;
}

export function useViewSearch(
  shown: SubscriptionSearch,
  [line, setLine]: readonly [line: string, setLine: (line: string) => void],
): ViewSearchState {
  const scope = useScope();
  const { search, words } = searchOfLine(shown, line);
  return {
    search,
    asked: { query: wholeQueryString(search).replace("?", ""), words },
    settle: () => {
      setLine(words);
      pushUrl(subscriptionsPath(scope, search));
    },
  };
}

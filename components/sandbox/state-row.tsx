"use client";

import { Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { Button } from "#components/ui/button.tsx";
import { ExplainedButton } from "#components/ui/explained-button.tsx";
import { STATE_KINDS } from "#contract/sandbox-names.ts";
import type { SavedState } from "#contract/sandbox.ts";
import type { Translate } from "#lib/i18n/translate.ts";
import type { StateWish } from "./state-dialog.tsx";
import { useRoleObstacle } from "./use-sandbox-action.ts";

interface StateRowProps {
  state: SavedState;
  onWish: (wish: StateWish) => void;
}

/** One state: its name, its clock, and its restore and delete buttons. */
export function SavedStateRow({ state, onWish }: StateRowProps) {
  const t = useTranslations("sandbox");
  const format = useFormat();
  const forbidden = useRoleObstacle("sandbox:write");
  const name = stateName(t, state);
  const obstacle = forbidden ?? (state.is_restorable ? null : t("states.outdated"));
  return (
    <li className="flex items-center justify-between gap-2 py-2">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm text-muted tabular-nums">
          {t("states.about", {
            time: format.dateTime(state.clock_at),
            count: state.subscriptions,
          })}
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-1">
        <ExplainedButton reason={obstacle} onClick={() => onWish({ does: "restore", state })}>
          {t.rich("states.goBack", {
            name,
            unseen: (words) => <span className="sr-only">{words}</span>,
          })}
        </ExplainedButton>
        {forbidden === null && (
          <Button
            look="quiet"
            aria-label={t("states.deleteNamed", { name })}
            onClick={() => onWish({ does: "delete", state })}
          >
            <Trash2 aria-hidden className="size-4" />
          </Button>
        )}
      </div>
    </li>
  );
}

const knownKind = (kind: string) => STATE_KINDS.find((one) => one === kind);

/** "Before a clock move"; an unknown kind is shown by its own name. */
export function stateName(t: Translate<"sandbox">, { kind, name }: SavedState): string {
  if (name !== "") return name;
  const known = knownKind(kind);
  return known ? t(`states.kinds.${known}`) : kind.replaceAll("_", " ");
}

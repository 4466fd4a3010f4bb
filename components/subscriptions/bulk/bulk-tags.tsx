import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import {
  FailureNotice,
  unshownFailure,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { useDialogHold } from "#components/ui/overlays/dialog.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { tagSubscriptionsAction } from "#lib/tags/actions.ts";
import { MAX_TAG_LENGTH } from "#lib/tags/rules.ts";
import { tagsQuery } from "#lib/subscriptions/queries.ts";

const NO_FIELDS = new Set<string>();

/** Gives the buyers of the selected subscriptions a tag, or takes it from them. */
export function BulkTags({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const t = useTranslations("tags.bulk");
  const scope = useScope();
  const queryClient = useQueryClient();
  const { data: tags = [] } = useQuery(tagsQuery(scope));
  const [name, setName] = useState("");
  const { run, isPending, failure } = useSellerAction(tagSubscriptionsAction);
  useDialogHold(isPending);

  async function change(is_added: boolean) {
    const done = await run({ ids: [...ids], name, is_added });
    if (!done) return;
    const { customers, full } = done.value;
    const count = customers - full;
    const rest = full > 0 ? ` ${t("full", { count: full })}` : "";
    showToast({ text: t(is_added ? "added" : "taken", { count }) + rest, isFailure: full > 0 });
    void queryClient.invalidateQueries({ queryKey: [scope, "subscriptions"] });
    void queryClient.invalidateQueries({ queryKey: [scope, "customers"] });
    onClose();
  }

  return (
    <div className="grid gap-4">
      <FailureNotice failure={unshownFailure(failure, NO_FIELDS)} />
      <p className="text-sm text-muted">{t("text", { count: ids.length })}</p>
      <TextField
        id="bulk-tag"
        list="known-tags"
        label={t("tag")}
        value={name}
        maxLength={MAX_TAG_LENGTH}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <datalist id="known-tags">
        {tags.map((tag) => (
          <option key={tag.id} value={tag.name} />
        ))}
      </datalist>
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          disabled={name.trim() === ""}
          isPending={isPending}
          onClick={() => void change(false)}
        >
          {t("remove")}
        </Button>
        <Button
          look="primary"
          disabled={name.trim() === ""}
          isPending={isPending}
          onClick={() => void change(true)}
        >
          {t("add")}
        </Button>
      </div>
    </div>
  );
}

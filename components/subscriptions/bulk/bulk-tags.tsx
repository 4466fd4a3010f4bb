import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { TagField } from "#components/forms/tag-field.tsx";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { useDialogHold } from "#components/ui/overlays/dialog.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { tagSubscriptionsAction } from "#lib/tags/actions.ts";
import { tagsQuery } from "#lib/tags/queries.ts";

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
    // Room for the open list of tags.
    <div className="grid min-h-72 content-start gap-4">
      <FailureNotice failure={failure} />
      <p className="text-sm text-muted">{t("text", { count: ids.length })}</p>
      <TagField
        id="bulk-tag"
        label={t("tag")}
        known={tags.map((tag) => tag.name)}
        value={name}
        onChoose={setName}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={name === ""} isPending={isPending} onClick={() => void change(false)}>
          {t("remove")}
        </Button>
        <Button
          look="primary"
          disabled={name === ""}
          isPending={isPending}
          onClick={() => void change(true)}
        >
          {t("add")}
        </Button>
      </div>
    </div>
  );
}

import { useTranslations } from "next-intl";
import { ActionForm } from "#components/forms/action-dialog.tsx";
import { usePermission } from "#components/context/seller-context.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.tsx";
import { useSubscriptionSearchText } from "#components/list/saved-views.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { Checkbox, TextField } from "#components/ui/forms/fields.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import type { SubscriptionSearch } from "#lib/subscriptions/search.ts";
import { saveViewAction } from "#lib/subscriptions/views/actions.ts";
import { MAX_VIEW_NAME_LENGTH } from "#lib/subscriptions/views/rules.ts";
import { useViewSearch, useRefetchViews } from "./use-view-changes.ts";
import { useDescribeView } from "#components/subscriptions/use-chip-words.ts";

interface ViewSaveFormProps {
  search: SubscriptionSearch;
  onClose: () => void;
}

export function ViewSaveForm({ search: shown, onClose }: ViewSaveFormProps) {
  const t = useTranslations("views");
  const mayShare = usePermission("views:share");
  const action = useScopedAction(saveViewAction);
  const renew = useRefetchViews();
  const { search, asked, settle } = useViewSearch(shown, useSubscriptionSearchText());
  const describe = useDescribeView(search);

  async function finish(name: string) {
    settle();
    await renew();
    onClose();
    showToast({ text: t("saved", { name }) });
  }

  return (
    <ActionForm
      onClose={onClose}
      action={async (input: Parameters<typeof saveViewAction>[1]) => {
        const result = await action(input);
        return result.ok ? { ...result, value: input.name.trim() } : result;
      }}
      read={(form) => ({
        ...asked,
        name: fieldText(form, "name"),
        is_shared: new FormData(form).has("is_shared"),
      })}
      label={t("saveLabel")}
      noValidate
      onDone={(name) => void finish(name)}
    >
      {(error) => (
        <>
          <div>
            <p className="font-medium">{t("asked")}</p>
            <ul className="text-sm break-words text-muted">
              {describe(asked.words).map((fact) => (
                <li key={fact}>{fact}</li>
              ))}
            </ul>
          </div>
          <TextField
            ref={initialFocus}
            id="view-name"
            name="name"
            label={t("name")}
            hint={t("nameHint")}
            autoComplete="off"
            maxLength={MAX_VIEW_NAME_LENGTH}
            error={error("name")}
          />
          {mayShare && <Checkbox name="is_shared" label={t("forAll")} hint={t("forAllHint")} />}
        </>
      )}
    </ActionForm>
  );
}

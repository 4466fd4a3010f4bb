import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useScope } from "#components/context/seller-context.tsx";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { ownNameOf } from "#contract/message-text.ts";
import { MOST_LANGUAGES } from "#contract/names.ts";
import { isLanguage } from "#lib/i18n/languages.ts";
import { addLanguageAction, removeLanguageAction } from "#lib/messages/reminders/actions.ts";
import { remindersQuery } from "#lib/messages/reminders/queries.ts";
import type { SellerLanguage } from "#lib/messages/reminders/rules.ts";

/** Languages that buyers in Nepal often speak. */
const SUGGESTED = ["mai", "bho", "new", "taj", "awa", "hi", "ur"];

/** The languages in which the seller writes, to add and remove. */
export function MessageLanguages({ languages }: { languages: SellerLanguage[] }) {
  const t = useTranslations("messages.languages");
  const router = useRouter();
  const queryClient = useQueryClient();
  const { queryKey } = remindersQuery(useScope());
  const remove = useScopedAction(removeLanguageAction);
  function onDone(close: () => void) {
    close();
    router.refresh();
    void queryClient.invalidateQueries({ queryKey });
  }
  return (
    <Card aria-labelledby="languages-title" className="grid gap-3 p-4 sm:p-5">
      <div>
        <CardTitle id="languages-title">{t("title")}</CardTitle>
        <p className="max-w-2xl text-sm text-pretty text-muted">{t("text")}</p>
      </div>
      <ul className="flex flex-wrap gap-2">
        {languages.map(({ code, name }) => (
          <li key={code} className="flex min-h-9 items-center gap-1 rounded border px-3">
            <span lang={code} dir="auto">
              {name}
            </span>
            {!isLanguage(code) && (
              <ActionButton
                button={{
                  look: "quiet",
                  "aria-label": t("removeOf", { language: name }),
                  children: t("remove"),
                }}
                title={t("removeOf", { language: name })}
                label={t("remove")}
                action={remove}
                read={() => ({ code })}
                onDone={(_, close) => onDone(close)}
              >
                {() => <p className="text-pretty">{t("removeText")}</p>}
              </ActionButton>
            )}
          </li>
        ))}
      </ul>
      {languages.length < MOST_LANGUAGES && (
        <div>
          <ActionButton
            noValidate
            title={t("add")}
            label={t("add")}
            action={useScopedAction(addLanguageAction)}
            read={(form) => ({ code: fieldText(form, "code"), name: fieldText(form, "name") })}
            onDone={(_, close) => onDone(close)}
          >
            {(error) => (
              <>
                <TextField
                  ref={initialFocus}
                  id="language-code"
                  name="code"
                  list="language-codes"
                  label={t("code")}
                  hint={t("codeHint")}
                  error={error("code")}
                  maxLength={40}
                  autoCapitalize="none"
                  autoComplete="off"
                  spellCheck={false}
                />
                <datalist id="language-codes">
                  {SUGGESTED.map((code) => (
                    <option key={code} value={code}>
                      {ownNameOf(code) ?? code}
                    </option>
                  ))}
                </datalist>
                <TextField
                  isOptional
                  id="language-name"
                  name="name"
                  dir="auto"
                  label={t("name")}
                  hint={t("nameHint")}
                  error={error("name")}
                  maxLength={60}
                  autoComplete="off"
                />
              </>
            )}
          </ActionButton>
        </div>
      )}
    </Card>
  );
}

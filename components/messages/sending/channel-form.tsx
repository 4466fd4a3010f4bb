import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import {
  FailureNotice,
  fieldText,
  unshownFailure,
  useActionForm,
  useScopedAction,
} from "#components/forms/use-action.tsx";
import { fieldOf, SettingField, useConflictWords } from "#components/forms/setting-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { Dialog, initialFocus, useDialogHold } from "#components/ui/overlays/dialog.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import type { ChannelSetup } from "#contract/messages.ts";
import { MESSAGE_PROVIDERS, type SendingChannel } from "#contract/names.ts";
import { saveChannelAction } from "#lib/messages/sending/actions.ts";
import { isEssential, readSetting } from "#lib/format/provider-settings.ts";
import type { Channels } from "#lib/messages/sending/rules.ts";
import { useProviderName } from "#components/values/message-words.tsx";
import { readTemplates, TemplateFields } from "./template-fields.tsx";

interface SetUpProps {
  channel: SendingChannel;
  channels: Channels;
  /** What is set up; null for nothing yet. */
  setup: ChannelSetup | null;
}

/** Opens the settings of a channel. */
export function SetUpButton(props: SetUpProps) {
  const { channel, setup } = props;
  const t = useTranslations("sending.setUp");
  const name = useTranslations("sending.channel")(channel);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        aria-haspopup="dialog"
        aria-label={t(setup ? "changeOf" : "of", { channel: name })}
        look={setup ? "secondary" : "primary"}
        onClick={() => setOpen(true)}
      >
        {t(setup ? "change" : "label")}
      </Button>
      <Dialog keepsWords title={t("title", { channel: name })} isOpen={isOpen} onClose={close}>
        <ChannelForm {...props} onClose={close} />
      </Dialog>
    </>
  );
}

const OTHER_FIELDS = ["provider", "per_minute", "current_password"] as const;

function ChannelForm({
  channel,
  channels,
  setup,
  onClose,
}: SetUpProps & { onClose: () => void }) {
  const t = useTranslations("sending.setUp");
  const tOfDialog = useTranslations("layout.dialog");
  const tOfProvider = useTranslations("sending.provider");
  const name = useTranslations("sending.channel")(channel);
  const providerName = useProviderName();
  const router = useRouter();
  const offered = channels.providers.filter((each) => each.channel === channel);
  const [provider, setProvider] = useState(setup?.provider ?? offered[0]?.provider ?? "");
  const settings = offered.find((each) => each.provider === provider)?.settings ?? [];
  const stored = setup?.provider === provider ? setup : null;
  const { form, isPending, failure, error } = useActionForm(
    useScopedAction(saveChannelAction),
    {
      read: (fields) => {
        const known = MESSAGE_PROVIDERS.find((each) => each === provider);
        if (!known) return null;
        const typed = settings
          .map((setting) => [
            setting.name,
            readSetting(setting, fieldText(fields, fieldOf(setting))),
          ])
          .filter(([, value]) => value !== "");
        return {
          channel,
          provider: known,
          settings: Object.fromEntries(typed) as Record<string, string>,
          templates: readTemplates(fields),
          is_active: new FormData(fields).has("is_active"),
          per_minute: fieldText(fields, "per_minute"),
          version: setup?.version ?? null,
          current_password: fieldText(fields, "current_password"),
        };
      },
      onDone: () => {
        onClose();
        showToast({ text: t("saved", { channel: name }) });
        router.refresh();
      },
    },
  );
  useDialogHold(isPending);
  const isConflict = failure?.kind === "conflict" && failure.status === 409;
  // Reads the newer version, which the next try is based on; the fields keep what was typed.
  useEffect(() => {
    if (isConflict) router.refresh();
  }, [isConflict, router]);
  const describe = useConflictWords();
  const shown = new Set([...settings.map(fieldOf), ...OTHER_FIELDS]);
  const isWrong = (setting: (typeof settings)[number]) => error(fieldOf(setting)) !== undefined;
  const fieldsOf = (some: typeof settings) =>
    some.map((setting) => (
      <SettingField
        key={`${provider} ${setting.name}`}
        {...{ setting, stored }}
        error={error(fieldOf(setting))}
      />
    ));
  const more = settings.filter((setting) => !isEssential(setting));
  return (
    <form {...form} noValidate autoComplete="off">
      <FailureNotice failure={unshownFailure(failure, shown)} describe={describe} />
      <div className="grid gap-4">
        <SelectField
          ref={initialFocus}
          id="channel-provider"
          name="provider"
          label={tOfProvider("label")}
          value={provider}
          onChange={({ target }) => setProvider(target.value)}
          error={error("provider")}
        >
          {offered.map((each) => (
            <option key={each.provider} value={each.provider}>
              {providerName(each.provider)}
            </option>
          ))}
        </SelectField>
        {fieldsOf(settings.filter(isEssential))}
        {channel === "whatsapp" && <TemplateFields templates={setup?.templates ?? []} />}
        <Disclosure
          title={t("more")}
          className="font-medium max-md:min-h-11"
          isOpen={[...more.map(isWrong), error("per_minute") !== undefined].some(Boolean)}
        >
          <div className="mt-3 grid gap-4">
            {fieldsOf(more)}
            <TextField
              id="channel-per-minute"
              name="per_minute"
              label={t("perMinute")}
              hint={t("perMinuteHint")}
              inputMode="numeric"
              defaultValue={setup?.per_minute ?? 60}
              error={error("per_minute")}
            />
          </div>
        </Disclosure>
        <label className="flex items-center gap-2 max-md:min-h-11">
          <input
            type="checkbox"
            name="is_active"
            defaultChecked={setup?.is_active ?? true}
            className="size-4 accent-accent"
          />
          {t("active")}
        </label>
        <CurrentPassword
          hasPassword={channels.has_password}
          error={error("current_password")}
        />
      </div>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{tOfDialog("cancel")}</Button>
        <Button type="submit" look="primary" isPending={isPending}>
          {t("save")}
        </Button>
      </div>
    </form>
  );
}

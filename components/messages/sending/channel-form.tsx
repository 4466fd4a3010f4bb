import { useTranslations } from "next-intl";
import { useState } from "react";
import { MoreSettings, SetupButton, SetupForm } from "#components/forms/provider-setup.tsx";
import { fieldText } from "#components/forms/use-action.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import type { ChannelSetup } from "#contract/messages.ts";
import { MESSAGE_PROVIDERS, type SendingChannel } from "#contract/names.ts";
import { saveChannelAction } from "#lib/messages/sending/actions.ts";
import { isEssential } from "#lib/format/provider-settings.ts";
import type { Channels } from "#lib/messages/sending/rules.ts";
import { useProviderName } from "#components/values/message-words.tsx";
import { readTemplates, TemplateFields } from "./template-fields.tsx";

interface SetUpProps {
  channel: SendingChannel;
  channels: Channels;
  /** The stored settings; null before the first. */
  setup: ChannelSetup | null;
}

/** Opens the settings of a channel. */
export function SetUpButton(props: SetUpProps) {
  const name = useTranslations("sending.channel")(props.channel);
  return (
    <SetupButton name={name} isSetUp={props.setup !== null}>
      {(close) => <ChannelForm {...props} onClose={close} />}
    </SetupButton>
  );
}

function ChannelForm({
  channel,
  channels,
  setup,
  onClose,
}: SetUpProps & { onClose: () => void }) {
  const t = useTranslations("sending.setUp");
  const tOfProvider = useTranslations("sending.provider");
  const name = useTranslations("sending.channel")(channel);
  const providerName = useProviderName();
  const offered = channels.providers.filter((each) => each.channel === channel);
  const [provider, setProvider] = useState(setup?.provider ?? offered[0]?.provider ?? "");
  return (
    <SetupForm
      action={saveChannelAction}
      settings={offered.find((each) => each.provider === provider)?.settings ?? []}
      isShown={isEssential}
      read={(fields, common) => {
        const known = MESSAGE_PROVIDERS.find((each) => each === provider);
        return known
          ? {
              ...common,
              channel,
              provider: known,
              templates: readTemplates(fields),
              per_minute: fieldText(fields, "per_minute"),
            }
          : null;
      }}
      activeText={t("active")}
      savedText={t("saved", { channel: name })}
      hasPassword={channels.has_password}
      {...{ provider, setup, onClose }}
    >
      {(shown, more, error) => (
        <>
          <SelectField
            ref={initialFocus}
            id="channel-provider"
            name="provider"
            label={tOfProvider("label")}
            value={provider}
            onChange={({ target }) => setProvider(target.value)}
            error={error("provider")}
            options={offered.map((each) => [each.provider, providerName(each.provider)])}
          />
          {shown}
          {channel === "whatsapp" && <TemplateFields templates={setup?.templates ?? []} />}
          <MoreSettings isOpen={more.isWrong || error("per_minute") !== undefined}>
            {more.fields}
            <TextField
              id="channel-per-minute"
              name="per_minute"
              label={t("perMinute")}
              hint={t("perMinuteHint")}
              inputMode="numeric"
              defaultValue={setup?.per_minute ?? 60}
              error={error("per_minute")}
            />
          </MoreSettings>
        </>
      )}
    </SetupForm>
  );
}

"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { FailureNotice, useAction } from "#components/forms/use-action.tsx";
import { useSeller } from "#components/context/seller-context.tsx";
import { Switch } from "#components/ui/forms/switch.tsx";
import { changeCharacterKeysAction } from "#lib/account/actions.ts";

/** Turns single-key shortcuts on or off for this person in every browser. */
export function ShortcutSwitch() {
  const t = useTranslations("keyboard.single");
  const { character_keys: isOn } = useSeller();
  const router = useRouter();
  const { run, isPending, failure } = useAction(changeCharacterKeysAction);
  async function change(character_keys: boolean) {
    if (await run({ character_keys })) router.refresh();
  }
  return (
    <div className="px-4 py-3 sm:px-5">
      <FailureNotice failure={failure} />
      <div className="flex items-center justify-between gap-4">
        <div>
          <p className="font-medium">{t("label")}</p>
          <p className="text-sm text-muted">{t("hint")}</p>
        </div>
        <Switch
          label={t("label")}
          isOn={isOn}
          isPending={isPending}
          onSwitch={(next) => void change(next)}
        />
      </div>
    </div>
  );
}

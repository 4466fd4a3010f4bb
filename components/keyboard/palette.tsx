import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { openCommandWindow } from "#components/shell/command-window.ts";
import { useSeller } from "#components/context/seller-context.tsx";
import { keepLine } from "#components/list/saved-views.tsx";
import { useSignOut } from "#components/shell/navigation/use-sign-out.ts";
import { showToast } from "#components/ui/overlays/toast.ts";
import { changeLanguageAction } from "#lib/account/actions.ts";
import type { Language } from "#lib/i18n/languages.ts";
import type { PaletteEntry } from "./palette-entries.ts";
import { PaletteWindow } from "./palette-window.tsx";

/** Runs the entry that is chosen in the palette. */
export function Palette() {
  const router = useRouter();
  const client = useQueryClient();
  const { scope } = useSeller();
  const speak = useLanguageChange();
  const { signOut } = useSignOut();

  function choose({ does }: PaletteEntry) {
    openCommandWindow(does.kind === "listKeys" ? "keys" : null);
    if (does.kind === "view") keepLine(client, scope, does.view.words);
    if (does.kind === "go" || does.kind === "view") router.push(does.href);
    if (does.kind === "speak") void speak(does.language);
    if (does.kind === "signOut") void signOut();
  }

  return <PaletteWindow onClose={() => openCommandWindow(null)} onChoose={choose} />;
}

function useLanguageChange() {
  const t = useTranslations("keyboard");
  const { second_calendar } = useSeller();
  const router = useRouter();
  return async (language: Language) => {
    const result = await changeLanguageAction({ language, second_calendar }).catch(() => null);
    if (result?.ok) router.refresh();
    else showToast({ text: t("notSpoken"), isFailure: true });
  };
}

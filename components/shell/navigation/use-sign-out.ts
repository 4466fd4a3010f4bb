import { useTranslations } from "next-intl";
import { useState } from "react";
import { showToast } from "#components/ui/overlays/toast.ts";
import { signOutAction } from "#lib/auth/actions.ts";
import { forgetDrafts } from "#components/forms/draft-memory.ts";

export function useSignOut() {
  const t = useTranslations("layout.menus");
  const [isPending, setPending] = useState(false);

  async function signOut() {
    setPending(true);
    const result = await signOutAction().catch(() => null);
    if (result?.ok || result?.failure.kind === "signed_out") {
      forgetDrafts();
      // A full load, so that no data of this seller stays in memory.
      window.location.assign("/sign-in");
      return;
    }
    setPending(false);
    showToast({ text: t("stillSignedIn"), isFailure: true });
  }

  return { signOut, isPending };
}

import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button.tsx";

interface ProviderButtonProps {
  name: string;
  csrfToken: string;
  callbackPath: string;
}

/** A native form: next-auth redirects to the provider. */
export function ProviderButton({ name, csrfToken, callbackPath }: ProviderButtonProps) {
  const t = useTranslations("auth.signIn");
  return (
    <form method="post" action="/api/auth/signin/oidc" className="mt-4 grid border-t pt-4">
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <input type="hidden" name="callbackUrl" value={callbackPath} />
      <Button type="submit" className="h-9 max-w-full">
        <span className="truncate">{t("withProvider", { name })}</span>
      </Button>
    </form>
  );
}

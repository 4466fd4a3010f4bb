"use client";

import { useTranslations } from "next-intl";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { ExternalLink } from "#components/ui/icons.tsx";
import { SnippetTabs } from "#components/ui/snippet-tabs.tsx";
import { FIRST_REQUEST } from "#contract/generated/first-request.ts";

/** A first request with a key in several languages, and a link to the guide. */
export function FirstRequest({ address }: { address: string | null }) {
  const t = useTranslations("apiKeys");
  const variables = `export DUEBOOK_URL="${address ?? "…"}"\nexport DUEBOOK_KEY="…"`;
  return (
    <div className="grid min-w-0 gap-3">
      <p className="text-muted">{t(address === null ? "try.unknown" : "try.text")}</p>
      <CodeBlock text={variables} copyLabel={t("try.copyVariables")} />
      <SnippetTabs
        snippets={FIRST_REQUEST}
        label={t("try.language")}
        nameOf={(language) => t(`try.languages.${language}`)}
        copyLabel={t("try.copy")}
      />
      {address !== null && (
        <a
          href={`${address}/api/docs#begin`}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1.5 justify-self-start rounded font-medium text-accent hover:underline max-md:min-h-11"
        >
          {t.rich("try.guide", { more: (words) => <span className="sr-only">{words}</span> })}
          <ExternalLink aria-hidden className="size-4" />
        </a>
      )}
    </div>
  );
}

import { useTranslations } from "next-intl";
import { Combobox } from "#components/ui/forms/combobox.tsx";
import { MAX_TAG_LENGTH, readTagName } from "#lib/tags/rules.ts";
import { tagKey } from "#lib/text/fold-text.ts";

interface TagFieldProps {
  id: string;
  label: string;
  /** The tags to choose from. */
  known: readonly string[];
  value?: string;
  onChoose: (name: string) => void;
  error?: string | undefined;
}

/** Chooses one of the seller's tags, or the name of a new one. */
export function TagField({ known, value = "", ...props }: TagFieldProps) {
  const t = useTranslations("tags");
  function search(words: string): string[] {
    const key = tagKey(words);
    const found = known.filter((name) => tagKey(name).includes(key));
    const fresh = readTagName(words);
    const isKnown = found.some((name) => tagKey(name) === key);
    return fresh === null || isKnown ? found : [...found, fresh];
  }
  return (
    <Combobox
      {...props}
      value={value}
      chosen={value}
      placeholder={t("placeholder")}
      nothing={t("nothing", { count: MAX_TAG_LENGTH })}
      search={search}
      describe={(name) => ({ title: name, note: known.includes(name) ? "" : t("fresh") })}
    />
  );
}

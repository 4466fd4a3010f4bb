import "server-only";
import { getTranslations } from "next-intl/server";
import type { ProviderSetting } from "#contract/settings.ts";

interface DescribedProvider {
  provider: string;
  settings: ProviderSetting[];
}

/**
 * The providers with descriptions of their settings in the reader's language; those of a newer
 * service keep the service's text.
 */
export async function translateSettings<Provider extends DescribedProvider>(
  providers: Provider[],
): Promise<Provider[]> {
  const t = await getTranslations("settingTexts");
  return providers.map((each) => ({
    ...each,
    settings: each.settings.map((setting) => {
      const { name } = setting;
      const keys = [`of.${each.provider}_${name}`, `of.${name}`] as "of.host"[];
      const key = keys.find((one) => t.has(one));
      return key ? { ...setting, description: t(key) } : setting;
    }),
  }));
}

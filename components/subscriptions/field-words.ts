import { useLocale, useTranslations } from "next-intl";
import { FIELD_MESSAGES, limitOf, type FieldProblem } from "#contract/field-messages.ts";
import { inDigits } from "#lib/format.ts";

/** Says what is wrong with a field in the reader's language, as far as the contract knows the sentence. */
export function useFieldWords(): (text: string) => string {
  const t = useTranslations("create");
  const language = useLocale();
  return (text) => {
    const problem = PROBLEMS.find((one) => FIELD_MESSAGES[one] === text);
    if (problem) return t(`problem.${problem}`);
    const limit = limitOf(text);
    return limit === null ? text : t("problem.tooLong", { most: inDigits(limit, language) });
  };
}

const PROBLEMS = Object.keys(FIELD_MESSAGES) as FieldProblem[];

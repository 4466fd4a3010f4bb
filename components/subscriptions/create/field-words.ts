import { useLocale, useTranslations } from "next-intl";
import { FIELD_MESSAGES, limitOf, type FieldProblem } from "#contract/field-messages.ts";
import { inDigits } from "#lib/format/format.ts";
import { isFieldPath } from "./create-subscription-values.ts";

/**
 * Says what is wrong with a field in the reader's language and by the field's own name, as far as the
 * contract knows the sentence.
 */
export function useFieldWords(): (text: string, path: string) => string {
  const t = useTranslations("create");
  const language = useLocale();
  return (text, path) => {
    if (!isFieldPath(path)) return text;
    const field = t(`field.${path}`);
    const problem = PROBLEMS.find((one) => FIELD_MESSAGES[one] === text);
    if (problem === "required" || problem === "blank") return t(`missing.${path}`);
    if (problem) return t(`problem.${problem}`, { field });
    const limit = limitOf(text);
    return limit === null
      ? text
      : t("problem.tooLong", { field, most: inDigits(limit, language) });
  };
}

const PROBLEMS = Object.keys(FIELD_MESSAGES) as FieldProblem[];

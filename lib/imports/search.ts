import type { ExportFormat } from "#lib/list-answer.ts";
import { apiPath, scopePath, type Scope } from "#lib/scope.ts";
import { defineSearch, oneOf, wholeNumber, type SearchOf } from "#lib/search-params.ts";
import { ROW_FILTERS } from "./rules.ts";

const importSearch = defineSearch({
  show: oneOf(ROW_FILTERS),
  /** The number of the row after which the page begins. */
  after: wholeNumber(2_000_000),
  /** Shows the columns of an import whose columns are confirmed already. */
  step: oneOf(["columns"]),
  /** Set if the encoding of the file was guessed. */
  guessed: oneOf(["1"]),
});
export type ImportSearch = SearchOf<typeof importSearch>;
export const parseImportSearch = importSearch.parse;

export const IMPORTS = "/subscriptions/import";

export const importsPath = (scope: Scope): string => scopePath(scope, IMPORTS);

export const importPath = (
  scope: Scope,
  id: string,
  search: Partial<ImportSearch> = {},
): string =>
  scopePath(scope, `${IMPORTS}/${encodeURIComponent(id)}${importSearch.toQuery(search)}`);

/** Where a table is uploaded to, as the body of a POST. */
export const importUploadPath = (scope: Scope): string => apiPath(scope, IMPORTS);

export const importTemplatePath = (scope: Scope, format: ExportFormat): string =>
  apiPath(scope, `${IMPORTS}/template?format=${format}`);

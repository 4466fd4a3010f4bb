import { queryOptions } from "@tanstack/react-query";
import type { Scope } from "#lib/scope.ts";
import { defineSearch, textMatching, type UrlParameters } from "#lib/search-params.ts";
import { readRoute } from "#lib/query/fetch-json.ts";
import type { SellerTexts } from "./rules.ts";

/** The texts, and the language of a subscription's buyer; null if it is not known. */
export interface TextsForBuyer extends SellerTexts {
  language: string | null;
}

const textsSearch = defineSearch({ subscription: textMatching(/^[^\0]{1,100}$/) });

/** The subscription whose buyer's language is wanted; null for the texts alone. */
export const parseTextsFor = (parameters: UrlParameters): string | null =>
  textsSearch.parse(parameters).subscription;

export const textsForBuyerQuery = (scope: Scope, subscription: string) =>
  queryOptions({
    queryKey: [scope, "messages", "for", subscription] as const,
    queryFn: readRoute<TextsForBuyer>(
      scope,
      `/messages${textsSearch.toQuery({ subscription })}`,
    ),
  });

export const remindersQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "messages"] as const,
    queryFn: readRoute<SellerTexts>(scope, "/messages"),
  });

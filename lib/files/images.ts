import { apiPath, type Scope } from "#lib/scope.ts";

/** What a file field accepts. The service decides by the content. */
export const ACCEPTED_IMAGES = ["image/png", "image/jpeg", "image/webp"];

/** Where an image is uploaded to, as the body of a POST. */
export const imageUploadPath = (scope: Scope): string => apiPath(scope, "/images");

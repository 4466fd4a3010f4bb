import "server-only";
import { isSameOrigin } from "#lib/auth/origin.ts";
import { AppError, invalidInput } from "#lib/failure.ts";
import { message, type MessageKey } from "#lib/i18n/message.ts";

interface UploadLimit {
  mostBytes: number;
  empty: MessageKey;
  large: MessageKey;
}

/**
 * The body of a POST of this website. Stops reading at the limit, whatever length was announced.
 * @throws AppError `forbidden` for a request from another website; `validation` for a body that is
 * empty or too large
 */
export async function readUpload(request: Request, limit: UploadLimit): Promise<Buffer> {
  if (!isSameOrigin(request.headers)) throw new AppError({ kind: "forbidden" });
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body ?? []) {
    length += part.byteLength;
    if (length > limit.mostBytes) throw refusedUpload(limit.large);
    parts.push(part);
  }
  if (length === 0) throw refusedUpload(limit.empty);
  return Buffer.concat(parts);
}

export const refusedUpload = (key: MessageKey): AppError => invalidInput(message(key));

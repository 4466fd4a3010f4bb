import { readOperatorDocument } from "#lib/operator/document.ts";

export async function GET(
  _request: Request,
  { params }: { params: Promise<{ account: string; document: string }> },
): Promise<Response> {
  return readOperatorDocument(await params);
}

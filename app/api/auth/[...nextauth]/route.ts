import { handleAuth } from "#lib/auth/handler.ts";

export const GET = handleAuth;
export const POST = handleAuth;

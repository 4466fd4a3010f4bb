import { handleAuth } from "#lib/auth/sign-in/handler.ts";

export const GET = handleAuth;
export const POST = handleAuth;

import { redirect } from "next/navigation";
import { HOME } from "#lib/auth/callback-path.ts";

export default function RootPage() {
  redirect(HOME);
}

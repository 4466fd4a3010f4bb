import { redirect } from "next/navigation";
import { defaultPath } from "#lib/auth/guards/default-path.ts";

export default async function RootPage() {
  redirect(await defaultPath());
}

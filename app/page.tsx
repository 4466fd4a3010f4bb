import { redirect } from "next/navigation";
import { defaultPath } from "#lib/auth/guards/seller-page.ts";

export default async function RootPage() {
  redirect(await defaultPath());
}

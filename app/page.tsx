import { redirect } from "next/navigation";
import { homePath } from "#lib/auth/guards/home.ts";

export default async function RootPage() {
  redirect(await homePath());
}

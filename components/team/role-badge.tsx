import { Crown, Eye, Headset, ShieldCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import type { Role } from "#lib/auth/permissions.ts";

const LOOKS: Record<Role, BadgeLook> = {
  owner: { icon: Crown, className: "bg-accent-soft text-accent" },
  admin: { icon: ShieldCheck, className: "bg-pending-soft text-pending" },
  support: { icon: Headset, className: "bg-active-soft text-active" },
  viewer: { icon: Eye, className: "bg-inactive-soft text-inactive" },
};

export function RoleBadge({ role }: { role: Role }) {
  const t = useTranslations("layout.roles");
  return <Badge {...LOOKS[role]}>{t(role)}</Badge>;
}

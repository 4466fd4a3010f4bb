"use client";

import { Plus, X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";

interface FoldedFieldsProps {
  title: string;
  /** What holds while they are folded away. */
  note: string;
  onRemove: () => void;
  children: ReactNode;
}

/** Fields that most subscriptions do without; folded away they are not sent at all. */
export function FoldedFields({ title, note, onRemove, children }: FoldedFieldsProps) {
  const [isOpen, setOpen] = useState(false);
  const Icon = isOpen ? X : Plus;
  function toggle() {
    if (isOpen) onRemove();
    setOpen(!isOpen);
  }
  return (
    <Card className="p-4 sm:p-5">
      <div className="flex items-start justify-between gap-4">
        <div>
          <CardTitle>{title}</CardTitle>
          {!isOpen && <p className="mt-0.5 text-sm text-muted">{note}</p>}
        </div>
        <Button aria-expanded={isOpen} onClick={toggle}>
          <Icon aria-hidden className="size-4" />
          {isOpen ? "Remove" : "Add"}
          <span className="sr-only"> {title.toLowerCase()}</span>
        </Button>
      </div>
      {isOpen && <div className="mt-4 grid gap-4 sm:grid-cols-2">{children}</div>}
    </Card>
  );
}

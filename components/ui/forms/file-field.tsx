import type { ComponentProps } from "react";
import { controlProps, FieldFrame, type FieldProps } from "./fields.tsx";

interface FileFieldProps extends FieldProps, Omit<ComponentProps<"input">, "id" | "type"> {
  isOptional?: boolean;
}

export function FileField(props: FileFieldProps) {
  const { id, label, hint, error, isOptional, ...others } = props;
  return (
    <FieldFrame {...{ id, label, hint, error, isOptional }}>
      <input
        type="file"
        className="input h-auto py-1 file:mr-3 file:rounded file:border-0 file:bg-sunken file:px-2 file:py-1 file:text-ink"
        {...controlProps(id, hint, error)}
        {...others}
      />
    </FieldFrame>
  );
}

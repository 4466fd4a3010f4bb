import type { ComponentProps, ReactNode } from "react";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { fieldText } from "#components/forms/use-action.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";

interface PasswordButtonProps<Input, Value> extends Omit<
  ComponentProps<typeof ActionButton<Input, Value>>,
  "read" | "noValidate" | "children"
> {
  hasPassword: boolean;
  inputOf: (current_password: string) => Input;
  /** The text above the password's field. */
  children?: ReactNode;
}

/** A button whose dialog asks for the person's password and nothing else. */
export function PasswordButton<Input, Value>({
  hasPassword,
  inputOf,
  children,
  ...button
}: PasswordButtonProps<Input, Value>) {
  return (
    <ActionButton
      noValidate
      read={(form) => inputOf(fieldText(form, "current_password"))}
      {...button}
    >
      {(error) => (
        <>
          {children}
          <CurrentPassword
            isFirst
            hasPassword={hasPassword}
            error={error("current_password")}
          />
        </>
      )}
    </ActionButton>
  );
}

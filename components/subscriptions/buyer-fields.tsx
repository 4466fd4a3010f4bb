import { Card, CardTitle } from "#components/ui/card.tsx";
import { FormTextField } from "./form-text-field.tsx";

export function BuyerFields() {
  return (
    <Card className="grid gap-4 p-4 sm:grid-cols-2 sm:p-5">
      <div className="sm:col-span-2">
        <CardTitle>Buyer</CardTitle>
      </div>
      <FormTextField
        path="client.phone"
        type="tel"
        inputMode="tel"
        hint="The phone number is how the buyer is recognised."
      />
      <FormTextField path="client.full_name" />
      <FormTextField path="client.email" type="email" inputMode="email" />
      <FormTextField path="client.address" />
    </Card>
  );
}

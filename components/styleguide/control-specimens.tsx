"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import type { ButtonLook } from "#components/ui/button-class.ts";
import { Combobox } from "#components/ui/forms/combobox.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { ExplainedButton } from "#components/ui/explained-button.tsx";
import { PasswordField } from "#components/ui/forms/password-field.tsx";
import { SelectField } from "#components/ui/forms/select-field.tsx";
import { Switch } from "#components/ui/forms/switch.tsx";
import { TextArea } from "#components/ui/forms/text-area.tsx";
import { TextField } from "#components/ui/forms/text-field.tsx";
import { Specimen, Specimens } from "./specimen.tsx";

const LOOKS: ButtonLook[] = ["primary", "secondary", "danger", "quiet"];

const LONG =
  "A name without end: श्री सरस्वती माध्यमिक विद्यालय अभिभावक संघ, Lalitpur-Jhamsikhel-13";

interface ControlSpecimensProps {
  /** The colour scheme, which makes ids unique on the page. */
  id: string;
}

export function ControlSpecimens({ id }: ControlSpecimensProps) {
  return (
    <>
      <Buttons />
      <Switches />
      <Fields id={id} />
    </>
  );
}

function Buttons() {
  return (
    <Specimens title="Button">
      {LOOKS.map((look) => (
        <Specimen key={look} label={look}>
          <Button look={look}>
            <Plus aria-hidden className="size-4" />
            Create
          </Button>
          <Button look={look} isPending>
            Create
          </Button>
          <Button look={look} disabled>
            Create
          </Button>
        </Specimen>
      ))}
      <Specimen label="off, and says why">
        <ExplainedButton reason="The buyer has not paid yet, so there is nothing to cancel.">
          Cancel
        </ExplainedButton>
        <ExplainedButton reason={null}>Resume</ExplainedButton>
      </Specimen>
      <Specimen label="copy: with words, and by its icon alone">
        <CopyButton text="https://example.com/pay/1" label="Copy link" />
        <CopyButton isCompact text="https://example.com/pay/1" label="Copy link" />
      </Specimen>
    </Specimens>
  );
}

function Switches() {
  const [isOn, setOn] = useState(true);
  return (
    <Specimens title="Switch, checkbox, radio">
      <Specimen label="on or off">
        <Switch label="Payment events" isOn={isOn} onSwitch={setOn} />
      </Specimen>
      <Specimen label="under way">
        <Switch label="Payment events" isOn isPending onSwitch={setOn} />
      </Specimen>
      <Specimen label="off limits">
        <Switch label="Payment events" isOn={false} disabled onSwitch={setOn} />
      </Specimen>
      <Specimen label="the browser's own">
        <label className="flex items-center gap-2">
          <input type="checkbox" defaultChecked className="size-4 accent-accent-strong" />
          Amount
        </label>
        <label className="flex items-center gap-2">
          <input type="radio" defaultChecked className="size-4 accent-accent-strong" />
          Monthly
        </label>
        <label className="flex items-center gap-2 text-muted">
          <input type="checkbox" disabled className="size-4" />
          Always shown
        </label>
      </Specimen>
    </Specimens>
  );
}

function Fields({ id }: ControlSpecimensProps) {
  return (
    <Specimens title="Fields">
      <div className="grid w-full gap-4 sm:grid-cols-2">
        <TextField id={`${id}-plain`} label="Full name" placeholder="As on the bill" />
        <TextField id={`${id}-long`} label="Full name" defaultValue={LONG} isOptional />
        <TextField
          id={`${id}-hint`}
          label="Phone"
          type="tel"
          inputMode="tel"
          hint="Ten digits, without a country code."
        />
        <TextField
          id={`${id}-wrong`}
          label="Email"
          defaultValue="sita@"
          error="This is no email address."
        />
        <TextField id={`${id}-off`} label="Seller" defaultValue="Milk at the Door" disabled />
        <PasswordField id={`${id}-password`} label="Password" defaultValue="words in a row" />
        <SelectField id={`${id}-select`} label="Status" defaultValue="due">
          <option value="due">Due</option>
          <option value="active">Active</option>
        </SelectField>
        <ProductField id={`${id}-product`} />
        <TextArea id={`${id}-text`} label="Message" defaultValue={`Namaste,\n${LONG}`} />
      </div>
    </Specimens>
  );
}

const PRODUCTS = ["Fresh milk", "Yoghurt", "Paneer", "दही", LONG];

function ProductField({ id }: ControlSpecimensProps) {
  const [value, setValue] = useState("");
  return (
    <Combobox
      id={id}
      label="Product"
      value={value}
      chosen={value}
      search={(words) =>
        PRODUCTS.filter((name) => name.toLowerCase().includes(words.toLowerCase()))
      }
      describe={(title) => ({ title, note: "Rs 450 to Rs 1,200" })}
      onChoose={setValue}
      nothing="No product is called that."
      placeholder="Type a name"
    />
  );
}

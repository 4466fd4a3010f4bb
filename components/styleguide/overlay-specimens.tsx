"use client";

import { Download, LogOut, Pencil } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog, initialFocus, useDialogHold } from "#components/ui/overlays/dialog.tsx";
import { Menu } from "#components/ui/overlays/menu.tsx";
import { TextField } from "#components/ui/forms/text-field.tsx";
import { showToast } from "#components/ui/overlays/toast.ts";
import { Specimen, Specimens } from "./specimen.tsx";

export function OverlaySpecimens() {
  return (
    <Specimens title="What opens over the page">
      <Specimen label="dialog, on phones a sheet">
        <DialogSpecimen label="Dialog" title="Change the name">
          {(close) => <NameForm onClose={close} />}
        </DialogSpecimen>
        <DialogSpecimen label="Long" title="A dialog longer than the screen">
          {() => <Lines />}
        </DialogSpecimen>
        <DialogSpecimen label="Held" title="Something is under way">
          {() => <Held />}
        </DialogSpecimen>
      </Specimen>
      <Specimen label="menu">
        <Menu
          label="Actions"
          entries={[
            {
              label: "Change the name",
              icon: Pencil,
              onSelect: () => showToast({ text: "Chosen." }),
            },
            {
              label: "Download",
              note: "As CSV, 20 rows",
              icon: Download,
              onSelect: () => {},
            },
            { label: "Where you are", link: <a href="#menu" />, current: "page" },
            { label: "Under way", onSelect: () => {}, isPending: true },
            { label: "Sign out", icon: LogOut, onSelect: () => {}, isApart: true },
          ]}
          trigger={(props) => <Button {...props}>Open the menu</Button>}
        />
      </Specimen>
      <Specimen label="toast">
        <Button onClick={() => showToast({ text: "Copied to the clipboard." })}>Plain</Button>
        <Button
          onClick={() =>
            showToast({
              text: "The columns are saved.",
              onUndo: () => showToast({ text: "They are as before." }),
            })
          }
        >
          With undo
        </Button>
        <Button
          onClick={() =>
            showToast({ text: "You are still signed in. Try again.", isFailure: true })
          }
        >
          Failure
        </Button>
      </Specimen>
    </Specimens>
  );
}

interface DialogSpecimenProps {
  label: string;
  title: string;
  children: (close: () => void) => ReactNode;
}

function DialogSpecimen({ label, title, children }: DialogSpecimenProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={close}>
        {children(close)}
      </Dialog>
    </>
  );
}

function NameForm({ onClose }: { onClose: () => void }) {
  return (
    <>
      <TextField
        ref={initialFocus}
        id="dialog-name"
        label="Your name"
        defaultValue="Sita Rai"
      />
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Leave it</Button>
        <Button look="primary" onClick={onClose}>
          Save
        </Button>
      </div>
    </>
  );
}

function Lines() {
  return (
    <ol className="grid list-decimal gap-2 pl-5">
      {Array.from({ length: 60 }, (_, at) => (
        <li key={at}>A line of many.</li>
      ))}
    </ol>
  );
}

function Held() {
  const [isHeld, setHeld] = useState(true);
  useDialogHold(isHeld);
  return (
    <>
      <p>It stays open until the answer that is shown here alone has come.</p>
      <Button className="mt-4" onClick={() => setHeld(!isHeld)}>
        {isHeld ? "Let it go" : "Hold it"}
      </Button>
    </>
  );
}

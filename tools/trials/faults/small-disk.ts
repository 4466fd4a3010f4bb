import { execFile } from "node:child_process";
import { runSystem } from "../../programs.ts";

/** Mounts a new disk of this size on the folder, from an image that takes only what is written. */
export function mountDisk(
  image: string,
  size: string,
  folder: string,
  options = "noatime",
): void {
  runSystem("truncate", "--size", size, image);
  const layout = "lazy_itable_init=0,lazy_journal_init=0";
  runSystem("mkfs.ext4", "-q", "-F", "-E", layout, image);
  runSystem("mount", "-o", `loop,${options}`, image, folder);
}

/** Writes into the file until its disk is full. */
export const fillDisk = (file: string): Promise<void> =>
  new Promise((resolve) => {
    execFile("dd", ["if=/dev/zero", `of=${file}`, "bs=1M"], () => resolve());
  });

// Imported into every program that the supervisor starts. Standard input is a pipe that closes when the
// supervisor ends, even if it was killed; the program then shuts down cleanly. Child workers inherit
// this import, but their standard input is something else.
if (process.env["SUPERVISOR_PID"]) {
  delete process.env["SUPERVISOR_PID"];
  process.stdin.once("end", () => process.kill(process.pid, "SIGTERM"));
  process.stdin.resume();
  // The pipe alone must not keep a program alive.
  process.stdin.unref();
}

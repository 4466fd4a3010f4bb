// Loaded into each program that the supervisor starts: its standard input is a pipe that ends when
// the supervisor does, also when that was killed, even before this runs, and then the program ends in
// order. Programs pass this import on to workers of their own, whose input means something else.
if (process.env["SUPERVISOR_PID"]) {
  delete process.env["SUPERVISOR_PID"];
  process.stdin.once("end", () => process.kill(process.pid, "SIGTERM"));
  process.stdin.resume();
  // It must not be what keeps a program from ending that has closed all else.
  process.stdin.unref();
}

/** Whether a host name or address is loopback, which no other machine can reach. */
export const isLoopback = (hostname: string) =>
  /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);

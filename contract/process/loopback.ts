/** Whether that name or address is of the machine itself, which no other machine reaches. */
export const isLoopback = (hostname: string) =>
  /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);

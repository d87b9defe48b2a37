import { isIPv4, isIPv6 } from 'node:net';

/** True for names and addresses that only this machine reaches. Takes IPv6 with or without brackets. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (isIPv4(name)) return name.startsWith('127.');
  return isIPv6(name) && /^(0*:)*0*1$/.test(name);
}

/** A host as it is written in a URL. */
export function urlHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

import type { ServerResponse } from 'node:http';

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const;

/** Transcripts hold text that agents wrote: it may load nothing from elsewhere. Next starts by inline scripts. */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
}

/** Also keeps the page from loading foreign content. In development the bundler evaluates code and opens sockets. */
export function setPagePolicy(response: ServerResponse, mode: 'production' | 'development'): void {
  const extra = mode === 'development' ? " 'unsafe-eval'" : '';
  const policy = PAGE_POLICY.map((rule) => (rule.startsWith('script-src') ? `${rule}${extra}` : rule));
  if (mode === 'development') policy.push("connect-src 'self' ws: wss:");
  response.setHeader('content-security-policy', policy.join('; '));
}

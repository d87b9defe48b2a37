'use client';

import { createContext } from 'react';

/** Transcript entries whose call launched work that is still live. */
export const LiveCalls = createContext<ReadonlySet<string>>(new Set());

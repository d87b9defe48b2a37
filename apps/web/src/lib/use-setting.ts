'use client';

import type { RouterOutputs } from '@vigil/client';
import { trpc } from '@vigil/client/react';
import { labels } from '@vigil/ui';
import { useCallback } from 'react';
import { reportError } from './report-error.tsx';

const FAILED = { what: labels.nav.settingFailed, meaning: labels.nav.settingFailedMeaning };

type Settings = RouterOutputs['settings']['get'];

/** As the server has them where nobody changed any: so it is taken to be while they are unknown. */
const BY_DEFAULT: Settings = { confirmArchive: true, automaticMoves: true };

/** A setting of the team, kept by the server. */
export function useSetting(name: keyof Settings): readonly [boolean, (value: boolean) => void] {
  const utils = trpc.useUtils();
  const { data } = trpc.settings.get.useQuery();
  const { mutate } = trpc.settings.update.useMutation({
    onSuccess: (settings) => utils.settings.get.setData(undefined, settings),
    onError: (failure) => reportError(FAILED, failure),
  });
  const set = useCallback((value: boolean) => mutate({ [name]: value }), [mutate, name]);
  return [(data ?? BY_DEFAULT)[name], set];
}

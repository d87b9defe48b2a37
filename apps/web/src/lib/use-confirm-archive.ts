'use client';

import { trpc } from '@vigil/client/react';
import { labels } from '@vigil/ui';
import { useCallback } from 'react';
import { reportError } from './report-error.tsx';

const FAILED = { what: labels.nav.settingFailed, meaning: labels.nav.settingFailedMeaning };

/** Whether archiving asks first (W4): a setting of the team, kept by the server. While it is unknown, it asks. */
export function useConfirmArchive(): readonly [boolean, (value: boolean) => void] {
  const utils = trpc.useUtils();
  const { data } = trpc.settings.get.useQuery();
  const { mutate } = trpc.settings.update.useMutation({
    onSuccess: (settings) => utils.settings.get.setData(undefined, settings),
    onError: (failure) => reportError(FAILED, failure),
  });
  const set = useCallback((confirmArchive: boolean) => mutate({ confirmArchive }), [mutate]);
  return [data?.confirmArchive ?? true, set];
}

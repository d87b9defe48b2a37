'use client';

import { IconButton, labels, Menu, MenuCheck, MenuChoice, MenuItem, MenuSeparator } from '@vigil/ui';
import { Keyboard, SlidersHorizontal } from 'lucide-react';
import { useTheme } from 'next-themes';
import { useDialogs } from '../dialogs/dialogs.tsx';
import { useSetting } from '../lib/use-setting.ts';

const THEMES = (['system', 'light', 'dark'] as const).map((value) => ({ value, label: labels.nav.themes[value] }));

/** The theme, which a browser keeps to itself, and the settings that the team shares. */
export function PreferencesMenu() {
  const { theme, setTheme } = useTheme();
  const [confirmArchive, setConfirmArchive] = useSetting('confirmArchive');
  const [automaticMoves, setAutomaticMoves] = useSetting('automaticMoves');
  const dialogs = useDialogs();
  return (
    <Menu side="top" trigger={<IconButton label={labels.nav.settings} icon={<SlidersHorizontal size={16} />} />}>
      <MenuChoice label={labels.nav.theme} value={theme ?? 'system'} options={THEMES} onChange={setTheme} />
      <MenuSeparator />
      <MenuCheck checked={confirmArchive} onChange={setConfirmArchive}>
        {labels.nav.confirmArchive}
      </MenuCheck>
      <MenuCheck checked={automaticMoves} onChange={setAutomaticMoves}>
        {labels.nav.automaticMoves}
      </MenuCheck>
      <MenuSeparator />
      <MenuItem icon={<Keyboard size={16} aria-hidden="true" />} onSelect={() => dialogs.help()}>
        {labels.nav.help}
      </MenuItem>
    </Menu>
  );
}

'use client';

import type { Session } from '@vigil/client';
import { IconButton, labels, StatusGlyph, statusOf, Tabs } from '@vigil/ui';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { nameOf } from '../session/session-name.ts';

interface Props {
  readonly sessions: readonly Session[];
  readonly selectedId: string;
  readonly onSelect: (sessionId: string) => void;
  readonly children: ReactNode;
}

export function SessionTabs({ sessions, selectedId, onSelect, children }: Props) {
  const tabs = sessions.map((session) => ({
    id: session.id,
    content: (
      <>
        <StatusGlyph status={statusOf(session)} />
        <span className="truncate">{nameOf(session)}</span>
      </>
    ),
  }));
  return (
    <Tabs label={labels.session.tabs} value={selectedId === 'new' ? null : selectedId} tabs={tabs} onChange={onSelect}>
      <IconButton
        label={labels.session.add}
        icon={<Plus size={16} />}
        aria-pressed={selectedId === 'new'}
        onClick={() => onSelect('new')}
      />
      <div className="ml-auto">{children}</div>
    </Tabs>
  );
}

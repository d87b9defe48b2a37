import { labels } from '@vigil/ui';
import type { Metadata } from 'next';
import { Board } from '../board/board.tsx';

export const metadata: Metadata = { title: labels.nav.board };

export default function Page() {
  return <Board />;
}

import { Suspense } from 'react';
import { TaskPage } from '../../../task/task-page.tsx';

export default async function Page({ params }: { readonly params: Promise<{ id: string }> }) {
  const { id } = await params;
  return (
    <Suspense>
      <TaskPage taskId={decodeURIComponent(id)} />
    </Suspense>
  );
}

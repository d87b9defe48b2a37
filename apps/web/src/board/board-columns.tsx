'use client';

import { type Announcements, DndContext, DragOverlay, MeasuringStrategy, useDroppable } from '@dnd-kit/core';
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import type { TaskState } from '@vigil/client';
import { labels } from '@vigil/ui';
import { useEffect, useMemo, useRef } from 'react';
import { useBoard } from '../lib/board-context.tsx';
import { type Columns, TASK_STATES, type TaskRow } from '../lib/task-order.ts';
import { columnId, rowOf, stateOf } from './arrangement.ts';
import { CardFace, SortableCard } from './card.tsx';
import { useBoardDrag } from './use-board-drag.ts';

const MEASURING = { droppable: { strategy: MeasuringStrategy.WhileDragging } };

function announcementsFor(shown: Columns): Announcements {
  const name = (id: unknown) => rowOf(shown, String(id))?.task.title ?? '';
  const column = (id: unknown) => {
    const state = stateOf(shown, String(id));
    return state === undefined ? '' : labels.taskState[state];
  };
  return {
    onDragStart: ({ active }) => labels.drag.picked(name(active.id)),
    onDragOver: ({ active, over }) =>
      over ? labels.drag.over(name(active.id), column(over.id)) : labels.drag.nowhere(name(active.id)),
    onDragEnd: ({ active, over }) =>
      over ? labels.drag.dropped(name(active.id), column(over.id)) : labels.drag.cancelled(name(active.id)),
    onDragCancel: ({ active }) => labels.drag.cancelled(name(active.id)),
  };
}

/** The same array as long as it holds the same ids: what is sorted changes rarely, what it shows all the time. */
function useSameIds(rows: readonly TaskRow[]): string[] {
  const key = rows.map(({ task }) => task.id).join('\n');
  return useMemo(() => (key === '' ? [] : key.split('\n')), [key]);
}

function Column({ state, rows }: { readonly state: TaskState; readonly rows: readonly TaskRow[] }) {
  const { setNodeRef } = useDroppable({ id: columnId(state) });
  const ids = useSameIds(rows);
  const heading = `heading-${state}`;
  return (
    <section
      aria-labelledby={heading}
      className="flex w-[82vw] shrink-0 snap-start flex-col sm:w-64 lg:w-auto lg:shrink lg:basis-0 lg:grow"
    >
      <div className="flex items-baseline gap-2 px-1 pb-2">
        <h2 id={heading} className="font-medium text-sm">
          {labels.taskState[state]}
        </h2>
        <span className="tabular text-ink-soft text-xs">{rows.length}</span>
      </div>
      <div ref={setNodeRef} className="min-h-24 flex-1 rounded-md bg-well p-1.5">
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          <ul aria-labelledby={heading} className="flex flex-col gap-1.5">
            {rows.map(({ task, status }) => (
              <SortableCard key={task.id} task={task} status={status} />
            ))}
          </ul>
        </SortableContext>
        {rows.length === 0 && <p className="px-1.5 py-1 text-ink-soft">{labels.board.empty}</p>}
      </div>
    </section>
  );
}

const WORTH_A_LOOK: readonly TaskState[] = ['in_progress', 'review', ...TASK_STATES];

/** Where not all columns fit, the board opens on the one where work is. */
function useOpeningColumn(columns: Columns) {
  const scroller = useRef<HTMLDivElement>(null);
  const opening = useRef(columns);
  useEffect(() => {
    const state = WORTH_A_LOOK.find((each) => opening.current[each].length > 0);
    const column = state === undefined ? null : scroller.current?.children.item(TASK_STATES.indexOf(state));
    const first = scroller.current?.children.item(0);
    if (!(column instanceof HTMLElement && first instanceof HTMLElement)) return;
    scroller.current?.scrollTo({ left: column.offsetLeft - first.offsetLeft, behavior: 'instant' });
  }, []);
  return scroller;
}

export function BoardColumns() {
  const { columns } = useBoard();
  const scroller = useOpeningColumn(columns);
  const { shown, active, context } = useBoardDrag(columns);
  return (
    <DndContext
      id="board"
      {...context}
      measuring={MEASURING}
      accessibility={{
        announcements: announcementsFor(shown),
        screenReaderInstructions: { draggable: labels.drag.instructions },
      }}
    >
      <div
        ref={scroller}
        className="flex min-h-0 flex-1 snap-x snap-mandatory gap-3 overflow-auto scroll-px-4 px-4 pb-4 lg:snap-none"
      >
        {TASK_STATES.map((state) => (
          <Column key={state} state={state} rows={shown[state]} />
        ))}
      </div>
      <DragOverlay dropAnimation={null}>
        {active && <CardFace task={active.task} status={active.status} lifted />}
      </DragOverlay>
    </DndContext>
  );
}

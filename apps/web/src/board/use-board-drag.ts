'use client';

import {
  type CollisionDetection,
  closestCorners,
  type DragEndEvent,
  type DragOverEvent,
  type DragStartEvent,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { trpc } from '@vigil/client/react';
import { labels } from '@vigil/ui';
import { useState } from 'react';
import { reportError } from '../lib/report-error.tsx';
import type { Columns } from '../lib/task-order.ts';
import { arrange, type Place, placeDropped, placeOver, positionOf, rowOf, stateOf } from './arrangement.ts';
import { boardCoordinates, cornerCollisions } from './board-coordinates.ts';

/** The pointer says where; the keyboard has none. Cards win over the column that they lie in. */
const collisions: CollisionDetection = (args) => {
  if (args.pointerCoordinates === null) return cornerCollisions(args);
  const within = pointerWithin(args);
  if (within.length === 0) return closestCorners(args);
  const cards = within.filter(({ id }) => !String(id).startsWith('column:'));
  return cards.length > 0 ? cards : within;
};

// Constant: with options made anew in each render every card would render with each change of any.
const MOUSE = { activationConstraint: { distance: 6 } };
/** A short hold, so that a swipe still scrolls. */
const TOUCH = { activationConstraint: { delay: 220, tolerance: 8 } };
const KEYS = {
  coordinateGetter: boardCoordinates,
  keyboardCodes: { start: ['Space'], cancel: ['Escape'], end: ['Space', 'Enter', 'Tab'] },
};

function useBoardSensors() {
  return useSensors(useSensor(MouseSensor, MOUSE), useSensor(TouchSensor, TOUCH), useSensor(KeyboardSensor, KEYS));
}

/** What the board shows while a task is dragged, and until the server agrees. */
export function useBoardDrag(columns: Columns) {
  const [activeId, setActiveId] = useState<string | null>(null);
  const [place, setPlace] = useState<Place | null>(null);
  const sensors = useBoardSensors();
  const shown = arrange(columns, place);
  const move = trpc.task.move.useMutation({
    onError: (error) => reportError({ what: labels.board.moveFailed, meaning: labels.board.moveFailedMeaning }, error),
    // The answer may come before the stream's news of it; then the old place would flash up.
    onSettled: (_, error) => void setTimeout(() => setPlace(null), error ? 0 : 300),
  });
  const onDragStart = ({ active }: DragStartEvent) => setActiveId(String(active.id));
  const onDragOver = ({ active, over }: DragOverEvent) => {
    if (over === null) return;
    const taskId = String(active.id);
    const overId = String(over.id);
    if (stateOf(shown, taskId) !== stateOf(shown, overId)) setPlace(placeOver(shown, taskId, overId));
  };
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    setActiveId(null);
    const taskId = String(active.id);
    const target = over && placeDropped(shown, taskId, String(over.id));
    const row = rowOf(columns, taskId);
    if (!target || !row) return setPlace(null);
    const before = columns[row.task.state];
    const next = before[before.findIndex(({ task }) => task.id === taskId) + 1]?.task.id ?? null;
    if (target.state === row.task.state && target.beforeId === next) return setPlace(null);
    setPlace(target);
    move.mutate({ taskId, state: target.state, position: positionOf(columns, target) });
  };
  const onDragCancel = () => {
    setActiveId(null);
    setPlace(null);
  };
  const active = activeId === null ? undefined : rowOf(columns, activeId);
  const handlers = { onDragStart, onDragOver, onDragEnd, onDragCancel };
  return { shown, active, context: { sensors, collisionDetection: collisions, ...handlers } };
}

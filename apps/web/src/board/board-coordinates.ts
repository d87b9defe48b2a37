import type {
  ClientRect,
  CollisionDetection,
  DroppableContainer,
  KeyboardCoordinateGetter,
  UniqueIdentifier,
} from '@dnd-kit/core';

interface Spot {
  readonly id: UniqueIdentifier;
  readonly rect: ClientRect;
}

const isColumn = (id: UniqueIdentifier) => String(id).startsWith('column:');

function spots(containers: DroppableContainer[], rects: ReadonlyMap<UniqueIdentifier, ClientRect>): Spot[] {
  return containers.flatMap(({ id, disabled }) => {
    const rect = rects.get(id);
    return rect && !disabled ? [{ id, rect }] : [];
  });
}

const middle = (rect: ClientRect) => rect.left + rect.width / 2;

function nearest(found: readonly Spot[], distance: (spot: Spot) => number): Spot | undefined {
  return found.reduce<Spot | undefined>(
    (best, spot) => (best === undefined || distance(spot) < distance(best) ? spot : best),
    undefined,
  );
}

/** Up and down: the next card of the same column. */
function vertical(cards: readonly Spot[], from: ClientRect, step: 1 | -1): Spot | undefined {
  const same = cards.filter(({ rect }) => Math.abs(middle(rect) - middle(from)) < from.width / 2);
  const ahead = same.filter(({ rect }) => (rect.top - from.top) * step > 1);
  return nearest(ahead, ({ rect }) => Math.abs(rect.top - from.top));
}

/** Left and right: the neighbouring column, at its card of about the same height; the column itself if it is empty. */
function horizontal(all: readonly Spot[], from: ClientRect, step: 1 | -1): Spot | undefined {
  const columns = all.filter(({ id, rect }) => isColumn(id) && (middle(rect) - middle(from)) * step > from.width / 2);
  const column = nearest(columns, ({ rect }) => Math.abs(middle(rect) - middle(from)));
  if (column === undefined) return undefined;
  const cards = all.filter(
    ({ id, rect }) => !isColumn(id) && Math.abs(middle(rect) - middle(column.rect)) < rect.width / 2,
  );
  return nearest(cards, ({ rect }) => Math.abs(rect.top - from.top)) ?? column;
}

const MOVES: ReadonlyMap<string, { readonly axis: 'x' | 'y'; readonly step: 1 | -1 }> = new Map([
  ['ArrowUp', { axis: 'y', step: -1 }],
  ['ArrowDown', { axis: 'y', step: 1 }],
  ['ArrowLeft', { axis: 'x', step: -1 }],
  ['ArrowRight', { axis: 'x', step: 1 }],
]);

/** Where an arrow key takes the task that is held. */
export const boardCoordinates: KeyboardCoordinateGetter = (event, { context }) => {
  const { active, collisionRect, droppableContainers, droppableRects } = context;
  const from = collisionRect;
  if (active === null || from === null) return undefined;
  const all = spots(droppableContainers.getEnabled(), droppableRects).filter(({ id }) => id !== active.id);
  const cards = all.filter(({ id }) => !isColumn(id));
  const move = MOVES.get(event.code);
  if (move === undefined) return undefined;
  event.preventDefault();
  const { axis, step } = move;
  const target = axis === 'x' ? horizontal(all, from, step) : vertical(cards, from, step);
  return target && { x: target.rect.left, y: target.rect.top };
};

/**
 * What the held task is over when keys move it: the place whose first corner it was put on. All four corners would
 * count a tall empty column as far away from a small card at its top.
 */
export const cornerCollisions: CollisionDetection = ({ collisionRect, droppableContainers, droppableRects }) =>
  spots(droppableContainers, droppableRects)
    .map(({ id, rect }) => ({ id, value: Math.hypot(rect.left - collisionRect.left, rect.top - collisionRect.top) }))
    .sort((a, b) => a.value - b.value);

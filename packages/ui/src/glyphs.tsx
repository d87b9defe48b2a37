import type { ReactElement } from 'react';
import type { StatusIcon } from './status.ts';

const question = (
  <>
    <path d="M6.5 6.3a1.55 1.55 0 1 1 2.3 1.36c-.5.28-.8.56-.8 1.04" strokeWidth={1.3} />
    <circle cx={8} cy={10.6} r={0.8} fill="currentColor" stroke="none" />
  </>
);

const stillDot = <circle className="vigil-still" cx={8} cy={2} r={1.9} fill="currentColor" stroke="none" />;

/** Six dashes turn; on larger surfaces background work turns in three segments. Circumference 37.7. */
const ring = (dashes: string, linecap: 'butt' | 'round', width: number) => (
  <>
    <circle cx={8} cy={8} r={6} strokeDasharray={dashes} strokeLinecap={linecap} strokeWidth={width} />
    {stillDot}
  </>
);

const SHAPES: Record<StatusIcon | 'ring-segmented', ReactElement> = {
  shield: (
    <>
      <path d="M8 1.6 13.3 3.4v4.2c0 3.3-2.2 5.6-5.3 6.8-3.1-1.2-5.3-3.5-5.3-6.8V3.4z" />
      {question}
    </>
  ),
  speech: (
    <>
      <path d="M3.2 2.4h9.6c.7 0 1.2.5 1.2 1.2v7.6c0 .7-.5 1.2-1.2 1.2H8.2L5 14.8v-2.4H3.2c-.7 0-1.2-.5-1.2-1.2V3.6c0-.7.5-1.2 1.2-1.2z" />
      <g transform="translate(0 -1)">{question}</g>
    </>
  ),
  ring: ring('3.9 2.383', 'butt', 1.75),
  'ring-segmented': ring('9.1 3.466', 'butt', 1.75),
  'ring-dotted': ring('0.01 4.702', 'round', 2),
  'ring-question': (
    <>
      <circle cx={8} cy={8} r={6.2} strokeDasharray="32 6.96" transform="rotate(-20 8 8)" />
      {question}
    </>
  ),
  circle: <circle cx={8} cy={8} r={5.25} />,
  dot: <circle cx={8} cy={8} r={2.25} fill="currentColor" stroke="none" />,
  'dot-open': <circle cx={8} cy={8} r={2.5} />,
  dash: <path d="M4 8h8" />,
  cross: (
    <>
      <circle cx={8} cy={8} r={6.2} />
      <path d="m5.8 5.8 4.4 4.4m0-4.4-4.4 4.4" />
    </>
  ),
  check: (
    <>
      <circle cx={8} cy={8} r={6.2} />
      <path d="m5.2 8.2 2 2 3.6-4.1" />
    </>
  ),
};

/** The whole drawing turns, not its circle: browsers do that without repainting it. */
const TURNS: Partial<Record<StatusIcon, string>> = { ring: 'vigil-ring', 'ring-dotted': 'vigil-ring vigil-ring-slow' };

export interface GlyphProps {
  readonly icon: StatusIcon;
  readonly size?: 16 | 20 | undefined;
  /** Background work on a larger surface. */
  readonly segmented?: boolean | undefined;
}

/** The bare drawing; it says nothing to assistive technology. */
export function Glyph({ icon, size = 16, segmented = false }: GlyphProps) {
  return (
    <svg
      aria-hidden="true"
      className={TURNS[icon]}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {SHAPES[segmented && icon === 'ring' ? 'ring-segmented' : icon]}
    </svg>
  );
}

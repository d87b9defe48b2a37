import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { STATUS_KINDS, STATUSES } from './status.ts';
import { Status, StatusGlyph } from './status-view.tsx';

describe('StatusGlyph', () => {
  it.each(STATUS_KINDS)('[W2] %s carries its words as accessible label and tooltip', (kind) => {
    const html = renderToStaticMarkup(<StatusGlyph status={STATUSES[kind]} />);
    expect(html).toContain('role="img"');
    expect(html).toContain(`aria-label="${STATUSES[kind].label}"`);
    expect(html).toContain(`data-tip="${STATUSES[kind].label}"`);
    expect(html).toContain('<svg aria-hidden="true"');
  });

  it('[W7] a turning ring has a still dot for reduced motion', () => {
    for (const kind of ['generating', 'background', 'starting'] as const) {
      const html = renderToStaticMarkup(<StatusGlyph status={STATUSES[kind]} />);
      expect(html).toContain('vigil-ring');
      expect(html).toContain('vigil-still');
    }
    expect(renderToStaticMarkup(<StatusGlyph status={STATUSES.permission} />)).not.toContain('vigil-ring');
  });
});

describe('Status', () => {
  it.each(STATUS_KINDS)('[W2] %s says it in words', (kind) => {
    expect(renderToStaticMarkup(<Status status={STATUSES[kind]} />)).toContain(`>${STATUSES[kind].label}</span>`);
  });

  it('[W2] background work is segmented on larger surfaces only', () => {
    const small = renderToStaticMarkup(<Status status={STATUSES.background} />);
    const large = renderToStaticMarkup(<Status status={STATUSES.background} size={20} />);
    const dashes = (html: string) => /stroke-dasharray="([^"]+)"/.exec(html)?.[1];
    expect(dashes(small)).toBe(dashes(renderToStaticMarkup(<Status status={STATUSES.generating} />)));
    expect(dashes(large)).not.toBe(dashes(small));
  });
});
